import 'leaflet/dist/leaflet.css';
import './base-map.css';
import './street-map.css';
import { map as createMap, type LatLng, type Map as LeafletMap } from 'leaflet';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Point } from '#contract/geo.ts';
import { addBaseMap } from './base-map.ts';
import { framePoints, isFramed } from './frame-points.ts';
import { MAX_ZOOM } from './tile-source.ts';
import { addTiles } from './tiles.ts';

export interface StreetMapOptions {
  /** What the map shows as a whole. */
  points: readonly Point[];
  /** The map moves to its points when this changes, and not when other points do. Undefined keeps it where it is. */
  frameKey: string | undefined;
  tiles: { tileUrl: string; tileAttribution: string } | undefined;
  onTiles: (working: boolean) => void;
}

export const streetMapClass = 'street-map absolute inset-0 overflow-hidden rounded-lg border border-line';

/** A map of streets in this element: the team's tiles above the built-in coasts and towns. */
export function useStreetMap(
  container: RefObject<HTMLElement | null>,
  { points, frameKey, tiles, onTiles }: StreetMapOptions,
) {
  const [map, setMap] = useState<LeafletMap>();
  const frame = useFrame(map, points);
  const frameAgain = useEffectEvent(frame.again);

  useEffect(() => {
    if (!container.current) return;
    const created = createMap(container.current, { minZoom: 0, maxZoom: MAX_ZOOM }); // not those of a map file
    created.attributionControl.setPrefix(false);
    const removeBaseMap = addBaseMap(created);
    setMap(created);
    // Its size changes with what is beside it.
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(() => frameAgain());
    observer?.observe(container.current);
    return () => {
      observer?.disconnect();
      removeBaseMap();
      created.remove();
    };
  }, [container]);

  const tileUrl = tiles?.tileUrl;
  const attribution = tiles?.tileAttribution;
  useEffect(() => {
    if (!map || !tileUrl) return;
    return addTiles(map, { url: tileUrl, attribution: attribution ?? '', onTiles });
  }, [map, tileUrl, attribution, onTiles]);

  const frameNew = useEffectEvent(frame.all);
  // Before the markers of the caller: Leaflet cannot place them without a view.
  useEffect(() => {
    if (map && frameKey !== undefined) frameNew();
  }, [map, frameKey]);

  return { map, showAll: frame.all };
}

/**
 * Moves the map to all points when told to. After a resize, to the same points again, where it does not show them any more
 * and the user has not moved it: what a live update adds meanwhile does not move it.
 */
function useFrame(map: LeafletMap | undefined, points: readonly Point[]) {
  const framed = useRef<{ points: readonly Point[]; centre: LatLng; zoom: number }>(undefined);
  const remember = (points: readonly Point[]) => {
    if (map) framed.current = { points, centre: map.getCenter(), zoom: map.getZoom() };
  };
  const all = () => {
    if (!map) return;
    framePoints(map, points);
    remember(points);
  };
  const again = () => {
    if (!map || !framed.current) return;
    const { points, centre, zoom } = framed.current;
    const moved = map.getZoom() !== zoom || !map.getCenter().equals(centre, 1e-4);
    map.invalidateSize({ animate: false });
    if (moved) return;
    if (!isFramed(map, points)) framePoints(map, points);
    remember(points);
  };
  return { all, again };
}
