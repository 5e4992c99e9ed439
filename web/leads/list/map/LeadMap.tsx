import { popup as createPopup, type Map as LeafletMap } from 'leaflet';
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import type { Trip } from '#contract/leads/trip/trip.ts';
import { fitPopup, ZOOM_BUTTONS_WIDTH } from '#web/kit/map/map-viewport.ts';
import { type StreetMapOptions, streetMapClass, useStreetMap } from '#web/kit/map/use-street-map.ts';
import type { PlannedTrip } from '#web/leads/list/trip/use-trip-plan.ts';
import { addTrip } from '#web/leads/trip/trip-markers.ts';
import { LeadPopup } from './LeadPopup.tsx';
import { addMarkers } from './lead-markers.ts';
import type { Pins } from './pins.ts';

/** Where a lead is. */
export type LeadPosition = Pick<LeadPoint, 'id' | 'latitude' | 'longitude'>;

export interface MapHandle {
  /** Returns to the viewport that shows all points. */
  reset: () => void;
  /** Zooms in on a lead, opens its popup, and moves the focus into it. */
  open: (position: LeadPosition) => void;
}

/** `frameKey` is what the user asked to see; it is undefined while the points are still those of the filters before. */
interface Props extends Pick<StreetMapOptions, 'frameKey' | 'tiles' | 'onTiles'> {
  points: LeadPoint[];
  /** How a point is marked. */
  toPin: Pins['toPin'];
  /** Shown instead of the points. */
  trip?: PlannedTrip | undefined;
  /** The trip that the user is on, above the points. */
  running?: Trip | undefined;
  handle: RefObject<MapHandle | null>;
}

export function LeadMap({ points, toPin, trip, running, handle, ...options }: Props) {
  const container = useRef<HTMLElement>(null);
  const { map, showAll } = useStreetMap(container, { points: trip ? [trip.start, ...trip.stops] : points, ...options });
  const [popup, setPopup] = useState<ReturnType<typeof openPopup>>();

  useEffect(() => void map?.on('popupclose', () => setPopup(undefined)), [map]);

  useEffect(() => {
    if (!map) return;
    const open = (point: LeadPosition) => setPopup(openPopup(map, point, false));
    return trip ? addTrip(map, trip, open) : addMarkers(map, points, { toPin, onOpen: open });
  }, [map, points, toPin, trip]);

  useEffect(() => {
    if (map && running) return addTrip(map, running, (stop) => setPopup(openPopup(map, stop, false)));
  }, [map, running]);

  useImperativeHandle(handle, () => ({
    reset: showAll,
    open: (point) => {
      if (!map) return;
      map.setView([point.latitude, point.longitude], Math.max(map.getZoom(), 13), { animate: false });
      setPopup(openPopup(map, point, true));
    },
  }));

  return (
    <>
      <section ref={container} aria-label="Map" className={streetMapClass} />
      {popup &&
        createPortal(
          <LeadPopup key={popup.id} id={popup.id} focus={popup.focus} onTrip={!trip} onResize={popup.resize} />,
          popup.element,
        )}
    </>
  );
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
