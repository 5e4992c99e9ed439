import 'leaflet/dist/leaflet.css';
import '#web/kit/map/base-map.css';
import './lead-map.css';
import { map as createMap, popup as createPopup, type LatLng, type Map as LeafletMap } from 'leaflet';
import { type RefObject, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import { addBaseMap } from '#web/kit/map/base-map.ts';
import { MAX_ZOOM } from '#web/kit/map/tile-source.ts';
import { addTiles } from '#web/kit/map/tiles.ts';
import type { Trip } from '#web/leads/list/visits/use-visits.ts';
import { addTrip } from '#web/leads/list/visits/visit-markers.ts';
import { framePoints, isFramed } from './frame-points.ts';
import { LeadPopup } from './LeadPopup.tsx';
import { addMarkers } from './lead-markers.ts';
import { fitPopup, type Point, ZOOM_BUTTONS_WIDTH } from './map-viewport.ts';

/** Where a lead is. */
export type LeadPosition = Pick<LeadPoint, 'id' | 'latitude' | 'longitude'>;

export interface MapHandle {
  /** Returns to the viewport that shows all points. */
  reset: () => void;
  /** Zooms in on a lead, opens its popup, and moves the focus into it. */
  open: (position: LeadPosition) => void;
}

interface Props {
  points: LeadPoint[];
  /** Shown instead of the points. */
  trip?: Trip | undefined;
  /**
   * What the user asked to see. The map moves to its points when this changes, and not when the points of the same
   * filters change. Undefined while the points are still those of the filters before.
   */
  frameKey: string | undefined;
  tiles: { tileUrl: string; tileAttribution: string } | undefined;
  handle: RefObject<MapHandle | null>;
  onTiles: (working: boolean) => void;
}

export function LeadMap({ points, trip, frameKey, tiles, handle, onTiles }: Props) {
  const container = useRef<HTMLElement>(null);
  const [map, setMap] = useState<LeafletMap>();
  const [popup, setPopup] = useState<ReturnType<typeof openPopup>>();
  const frame = useFrame(map, trip ? [trip.start, ...trip.stops] : points);
  const frameAgain = useEffectEvent(frame.again);

  useEffect(() => {
    if (!container.current) return;
    const created = createMap(container.current, { minZoom: 0, maxZoom: MAX_ZOOM }); // not those of a map file
    created.attributionControl.setPrefix(false);
    created.on('popupclose', () => setPopup(undefined));
    const removeBaseMap = addBaseMap(created);
    setMap(created);
    // The map fills the window below the filters, which open and close.
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(() => frameAgain());
    observer?.observe(container.current);
    return () => {
      observer?.disconnect();
      removeBaseMap();
      created.remove();
    };
  }, []);

  const tileUrl = tiles?.tileUrl;
  const attribution = tiles?.tileAttribution;
  useEffect(() => {
    if (!map || !tileUrl) return;
    return addTiles(map, { url: tileUrl, attribution: attribution ?? '', onTiles });
  }, [map, tileUrl, attribution, onTiles]);

  const frameNew = useEffectEvent(frame.all);
  // Before the markers: Leaflet cannot place them without a view.
  useEffect(() => {
    if (map && frameKey !== undefined) frameNew();
  }, [map, frameKey]);

  useEffect(() => {
    if (!map) return;
    const open = (point: LeadPosition) => setPopup(openPopup(map, point, false));
    return trip ? addTrip(map, trip, open) : addMarkers(map, points, open);
  }, [map, points, trip]);

  useImperativeHandle(handle, () => ({
    reset: frame.all,
    open: (point) => {
      if (!map) return;
      map.setView([point.latitude, point.longitude], Math.max(map.getZoom(), 13), { animate: false });
      setPopup(openPopup(map, point, true));
    },
  }));

  return (
    <>
      <section
        ref={container}
        aria-label="Map"
        className="lead-map absolute inset-0 overflow-hidden rounded-lg border border-line"
      />
      {popup &&
        createPortal(
          <LeadPopup key={popup.id} id={popup.id} focus={popup.focus} onResize={popup.resize} />,
          popup.element,
        )}
    </>
  );
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

function openPopup(map: LeafletMap, { id, latitude, longitude }: LeadPosition, focus: boolean) {
  const element = document.createElement('div');
  const popup = createPopup({
    ...fitPopup(map.getSize().x),
    offset: [0, -26],
    autoPanPaddingTopLeft: [ZOOM_BUTTONS_WIDTH, 5],
  }).setContent(element);
  popup.setLatLng([latitude, longitude]).openOn(map);
  return { id, element, focus, resize: () => void popup.update() };
}
