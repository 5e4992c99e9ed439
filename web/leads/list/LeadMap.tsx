import 'leaflet/dist/leaflet.css';
import './lead-map.css';
import { map as createMap, popup as createPopup, type Map as LeafletMap, tileLayer } from 'leaflet';
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import { LeadPopup } from './LeadPopup.tsx';
import { drawLeads } from './lead-markers.ts';
import { type Frame, frameOf } from './map-frame.ts';

const LAST_ZOOM = 19;

export interface MapHandle {
  /** Back to where all points are seen. */
  reset: () => void;
  /** Shows one lead from close by and opens its popup, with the focus in it. */
  open: (point: LeadPoint) => void;
}

interface Props {
  points: LeadPoint[];
  tiles: { tileUrl: string; tileAttribution: string } | undefined;
  handle: RefObject<MapHandle | null>;
  onTiles: (working: boolean) => void;
}

export function LeadMap({ points, tiles, handle, onTiles }: Props) {
  const place = useRef<HTMLElement>(null);
  const [map, setMap] = useState<LeafletMap>();
  const [opened, setOpened] = useState<{ id: number; element: HTMLElement; focus: boolean }>();
  const frame = frameOf(points);

  useEffect(() => {
    if (!place.current) return;
    const created = createMap(place.current, { maxZoom: LAST_ZOOM });
    created.attributionControl.setPrefix(false);
    created.on('popupclose', () => setOpened(undefined));
    setMap(created);
    return () => void created.remove();
  }, []);

  const tileUrl = tiles?.tileUrl;
  const attribution = tiles?.tileAttribution;
  useEffect(() => {
    if (!map || !tileUrl) return;
    const layer = tileLayer(tileUrl, { maxZoom: LAST_ZOOM, attribution: escaped(attribution ?? '') });
    layer.on('tileerror', () => onTiles(false));
    layer.on('tileload', () => onTiles(true));
    layer.addTo(map);
    return () => void layer.remove();
  }, [map, tileUrl, attribution, onTiles]);

  const [latitude, longitude] = frame.centre;
  const { zoom } = frame;
  // Before the markers: a map that has never looked anywhere cannot place them.
  useEffect(() => show(map, { centre: [latitude, longitude], zoom }), [map, latitude, longitude, zoom]);

  useEffect(() => {
    if (!map) return;
    return drawLeads(map, points, (point) => setOpened(openPopup(map, point, false)));
  }, [map, points]);

  useImperativeHandle(handle, () => ({
    reset: () => show(map, frame),
    open: (point) => {
      if (!map) return;
      map.setView([point.latitude, point.longitude], Math.max(map.getZoom(), 13), { animate: false });
      setOpened(openPopup(map, point, true));
    },
  }));

  return (
    <>
      <section
        ref={place}
        aria-label="Map"
        className="lead-map h-[60dvh] min-h-80 overflow-hidden rounded-lg border border-line"
      />
      {opened &&
        createPortal(
          <LeadPopup key={opened.id} id={opened.id} focus={opened.focus} onSize={() => resizePopup(opened.element)} />,
          opened.element,
        )}
    </>
  );
}

function show(map: LeafletMap | undefined, { centre, zoom }: Frame) {
  map?.setView(centre, zoom, { animate: false });
}

const sizes = new WeakMap<HTMLElement, () => void>();
const resizePopup = (element: HTMLElement) => sizes.get(element)?.();

function openPopup(map: LeafletMap, { id, latitude, longitude }: LeadPoint, focus: boolean) {
  const element = document.createElement('div');
  const popup = createPopup({ minWidth: 220, maxWidth: 300, offset: [0, -26] }).setContent(element);
  popup.setLatLng([latitude, longitude]).openOn(map);
  sizes.set(element, () => popup.update());
  return { id, element, focus };
}

/** Leaflet takes the attribution as HTML; here it is text that an operator wrote. */
function escaped(text: string) {
  const holder = document.createElement('span');
  holder.textContent = text;
  return holder.innerHTML;
}
