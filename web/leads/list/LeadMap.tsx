import 'leaflet/dist/leaflet.css';
import '#web/kit/map/base-map.css';
import './lead-map.css';
import { map as createMap, popup as createPopup, type Map as LeafletMap } from 'leaflet';
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import { addBaseMap } from '#web/kit/map/base-map.ts';
import { addTiles, MAX_ZOOM } from '#web/kit/map/tiles.ts';
import { LeadPopup } from './LeadPopup.tsx';
import { addMarkers } from './lead-markers.ts';
import { fitViewport, type Viewport } from './map-viewport.ts';
import type { Trip } from './use-visits.ts';
import { addTrip } from './visit-markers.ts';

export interface MapHandle {
  /** Returns to the viewport that shows all points. */
  reset: () => void;
  /** Zooms in on a lead, opens its popup, and moves the focus into it. */
  open: (point: LeadPoint) => void;
}

interface Props {
  points: LeadPoint[];
  /** Shown instead of the points. */
  trip?: Trip | undefined;
  tiles: { tileUrl: string; tileAttribution: string } | undefined;
  handle: RefObject<MapHandle | null>;
  onTiles: (working: boolean) => void;
}

export function LeadMap({ points, trip, tiles, handle, onTiles }: Props) {
  const container = useRef<HTMLElement>(null);
  const [map, setMap] = useState<LeafletMap>();
  const [popup, setPopup] = useState<ReturnType<typeof openPopup>>();
  const viewport = fitViewport(trip ? [trip.start, ...trip.stops] : points);

  useEffect(() => {
    if (!container.current) return;
    const created = createMap(container.current, { minZoom: 0, maxZoom: MAX_ZOOM }); // not those of a map file
    created.attributionControl.setPrefix(false);
    created.on('popupclose', () => setPopup(undefined));
    const removeBaseMap = addBaseMap(created);
    setMap(created);
    // The map fills the window below the filters, which open and close.
    const observer =
      typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(() => created.invalidateSize());
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

  const [latitude, longitude] = viewport.centre;
  const { zoom } = viewport;
  // Before the markers: Leaflet cannot place them without a view.
  useEffect(() => setViewport(map, { centre: [latitude, longitude], zoom }), [map, latitude, longitude, zoom]);

  useEffect(() => {
    if (!map) return;
    const open = (point: LeadPoint) => setPopup(openPopup(map, point, false));
    return trip ? addTrip(map, trip, open) : addMarkers(map, points, open);
  }, [map, points, trip]);

  useImperativeHandle(handle, () => ({
    reset: () => setViewport(map, viewport),
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

function setViewport(map: LeafletMap | undefined, { centre, zoom }: Viewport) {
  map?.setView(centre, zoom, { animate: false });
}

function openPopup(map: LeafletMap, { id, latitude, longitude }: LeadPoint, focus: boolean) {
  const element = document.createElement('div');
  const popup = createPopup({ minWidth: 220, maxWidth: 300, offset: [0, -26] }).setContent(element);
  popup.setLatLng([latitude, longitude]).openOn(map);
  return { id, element, focus, resize: () => void popup.update() };
}
