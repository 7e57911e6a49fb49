/** A card with a heading, and a table that becomes a list on narrow screens. */
import type { ComponentChildren } from "preact";

interface CardProps {
  readonly id: string;
  readonly title: ComponentChildren;
  /** At the other end of the line. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Card({ id, title, aside, children }: CardProps) {
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export interface Column<R> {
  readonly name: string;
  readonly kind?: "number" | "long";
  cell(row: R): ComponentChildren;
}

interface TableProps<R> {
  /** The id of its heading. */
  readonly heading: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  keyOf(row: R): string | number;
}

const CLASSES = { number: "is-number", long: "is-long" } as const;

/** Roles are explicit, because a table with another layout loses them. */
export function Table<R>({ heading, columns, rows, keyOf }: TableProps<R>) {
  const classOf = ({ kind }: Column<R>) => kind === undefined ? "" : CLASSES[kind];
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-labelledby={heading}>
      <table class="table" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.name} role="columnheader" class={classOf(column)}>{column.name}</th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <td key={column.name} role="cell" class={classOf(column)} data-label={column.name}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
