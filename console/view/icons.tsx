/** Icons drawn by hand on a grid of 16. Each stands beside a text that says the same. */
const PATHS = {
  back: "M10 3 5 8l5 5",
  close: "M4 4l8 8M12 4l-8 8",
  undo: "M6.5 3 3 6.5 6.5 10M3 6.5h6a4 4 0 0 1 0 8H7",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.7V8l2.3 1.6",
  down: "M4 6l4 4 4-4",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3 14 14",
  sun:
    "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 .8v1.6M8 13.6v1.6M.8 8h1.6M13.6 8h1.6M2.9 2.9 4 4M12 12l1.1 1.1M13.1 2.9 12 4M4 12l-1.1 1.1",
  moon: "M13.5 9.6A6 6 0 1 1 6.4 2.5a4.8 4.8 0 0 0 7.1 7.1Z",
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  warning: "M8 2 1.5 13.5h13ZM8 6.5v3.2M8 11.7v.1",
  folder: "M1.8 4.2c0-.6.4-1 1-1h3.4l1.5 1.6h5.5c.6 0 1 .4 1 1v6c0 .6-.4 1-1 1H2.8c-.6 0-1-.4-1-1z",
  branch: "M4.5 2v12M4.5 10c5 0 7-1.5 7-5M11.5 5V3.2",
  check: "M3 8.5 6.3 12 13 4.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
