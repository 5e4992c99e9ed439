import 'leaflet/dist/leaflet.css';
import '#web/kit/map/base-map.css';
import './district-map.css';
import { map as createMap, tooltip as createTooltip, type LatLngBoundsLiteral, type Map as LeafletMap } from 'leaflet';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { addBaseMap } from '#web/kit/map/base-map.ts';
import { addMapLabels, type MapLabel } from '#web/kit/map/map-labels.ts';
import { useMediaQuery } from '#web/kit/style/media-query.ts';
import { useTheme } from '#web/kit/style/theme.ts';
import { addDistrictCells, type Direction, type DistrictCells, type DistrictCentre } from './district-cells.ts';

const UNITED_KINGDOM: LatLngBoundsLiteral = [
  [49.9, -8],
  [58.7, 1.8],
];
const MIN_CLOSE_ZOOM = 8;
const ARROWS: Partial<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

interface Props {
  /** The accessible name. */
  label: string;
  districts: DistrictCentre[];
  /** The CSS colour of a district; undefined leaves it empty. */
  fill: (code: string) => string | undefined;
  /** What is shown of a district under the pointer and read out for the keyboard. */
  describe: (code: string) => string;
  /** Short texts on the map, the most important first. */
  labels?: readonly MapLabel[];
  selected: string | undefined;
  onSelect: (code: string) => void;
  /** The districts that are zoomed to; the whole country without any. */
  shown?: readonly string[];
}

/** Postcode districts as cells on the built-in map. The arrow keys move from district to district, Enter selects one. */
export function DistrictMap({ label, districts, fill, describe, labels, selected, onSelect, shown = [] }: Props) {
  const container = useRef<HTMLElement>(null);
  const [drawn, setDrawn] = useState<{ map: LeafletMap; cells: DistrictCells }>();
  const [pointed, setPointed] = useState<string>();
  const [reached, setReached] = useState<string>();
  const latest = useRef({ onSelect, selected });
  latest.current = { onSelect, selected };

  useEffect(() => {
    if (!container.current) return;
    // The arrow keys move between districts, not the map.
    const map = createMap(container.current, { keyboard: false, minZoom: 4, maxZoom: 13, zoomSnap: 0.5 });
    map.attributionControl.setPrefix(false);
    container.current.tabIndex = 0;
    map.fitBounds(UNITED_KINGDOM);
    const removeBaseMap = addBaseMap(map);
    const cells = addDistrictCells(map, districts, {
      onHover: setPointed,
      onPick: (code) => latest.current.onSelect(code),
    });
    setDrawn({ map, cells });
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(() => map.invalidateSize());
    observer?.observe(container.current);
    return () => {
      observer?.disconnect();
      removeBaseMap();
      map.remove();
    };
  }, [districts]);

  const theme = useTheme();
  const dark = useMediaQuery('(prefers-color-scheme: dark)');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme
  useEffect(() => drawn?.cells.paint(fill), [drawn, fill, theme, dark]);

  useEffect(() => (drawn && labels ? addMapLabels(drawn.map, labels) : undefined), [drawn, labels]);

  const marked = reached ?? selected;
  // biome-ignore lint/correctness/useExhaustiveDependencies: so is that of the outline
  useEffect(() => drawn?.cells.mark(marked), [drawn, marked, theme, dark]);

  const shownKey = shown.join(' ');
  useEffect(() => {
    const codes = shownKey.split(' ');
    const centres = districts.filter(({ code }) => codes.includes(code));
    if (!drawn || isInView(drawn.map, centres, latest.current.selected)) return;
    if (!centres.length) drawn.map.fitBounds(UNITED_KINGDOM, { animate: false });
    else drawn.map.fitBounds(toBounds(centres), { padding: [40, 40], maxZoom: 11, animate: false });
  }, [drawn, districts, shownKey]);

  const described = pointed ?? reached;
  const text = described === undefined ? undefined : describe(described);
  useEffect(() => {
    const centre = districts.find(({ code }) => code === described);
    if (!drawn || !centre || text === undefined) return;
    const element = document.createElement('span');
    element.textContent = text;
    const shownAt = createTooltip({ direction: 'top', opacity: 1 })
      .setLatLng([centre.latitude, centre.longitude])
      .setContent(element)
      .addTo(drawn.map);
    return () => void shownAt.remove();
  }, [drawn, districts, described, text]);

  const reach = (code: string | undefined) => {
    const centre = districts.find((district) => district.code === code);
    if (!drawn || !centre) return;
    setReached(code);
    const position: [number, number] = [centre.latitude, centre.longitude];
    if (!drawn.map.getBounds().pad(-0.1).contains(position)) drawn.map.panTo(position, { animate: false });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Not for the buttons of the map.
    if (!drawn || event.target !== container.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const from = reached ?? selected ?? findNearest(drawn.map, districts);
    const direction = ARROWS[event.key];
    if (direction) reach(reached === undefined ? from : (from && drawn.cells.next(from, direction)) || from);
    else if (event.key === 'Enter' && reached !== undefined) onSelect(reached);
    else if (event.key === '+') drawn.map.zoomIn();
    else if (event.key === '-') drawn.map.zoomOut();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <section
        ref={container}
        role="application"
        aria-label={`${label}: the arrow keys move between districts, Enter selects one`}
        onKeyDown={onKeyDown}
        onBlur={({ relatedTarget }) => !container.current?.contains(relatedTarget) && setReached(undefined)}
        className="district-map absolute inset-0 overflow-hidden rounded-lg border border-line"
      />
      <p role="status" className="sr-only">
        {reached !== undefined && describe(reached)}
      </p>
    </>
  );
}

function toBounds(centres: DistrictCentre[]): LatLngBoundsLiteral {
  const latitudes = centres.map(({ latitude }) => latitude);
  const longitudes = centres.map(({ longitude }) => longitude);
  return [
    [Math.min(...latitudes), Math.min(...longitudes)],
    [Math.max(...latitudes), Math.max(...longitudes)],
  ];
}

/** Whether the selected one of these was picked on a map that is zoomed in, which then stays as it is. */
function isInView(map: LeafletMap, centres: DistrictCentre[], selected: string | undefined): boolean {
  const picked = centres.find(({ code }) => code === selected);
  return picked !== undefined && map.getZoom() >= MIN_CLOSE_ZOOM && map.getBounds().contains(toBounds([picked]));
}

/** The district in the middle of the map. */
function findNearest(map: LeafletMap, districts: DistrictCentre[]): string | undefined {
  const middle = map.getCenter();
  const metres = ({ latitude, longitude }: DistrictCentre) => middle.distanceTo([latitude, longitude]);
  let nearest = districts[0];
  for (const district of districts) if (nearest && metres(district) < metres(nearest)) nearest = district;
  return nearest?.code;
}
