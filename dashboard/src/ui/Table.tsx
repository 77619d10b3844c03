import {
  type ColumnDef,
  flexRender,
  getCoreRowModel,
  type RowData,
  useReactTable,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";
import { cx } from "@/lib/cx";
import { shown } from "./shown";
import css from "./Table.module.css";

declare module "@tanstack/react-table" {
  interface ColumnMeta<TData extends RowData, TValue> {
    /** Left out where there is no room for it. */
    wide?: boolean;
    /** Any width of CSS; the rest is shared. */
    width?: string;
  }
}

type Props<T> = {
  rows: T[];
  // biome-ignore lint/suspicious/noExplicitAny: the library's columns have values of different types
  columns: ColumnDef<T, any>[];
  label: string;
  rowId: (row: T) => string;
  onOpen?: (row: T) => void;
};

/** From this many on only the rows in sight are drawn. */
const VIRTUAL_FROM = 100;
const ROW_HEIGHT = 49;

/** A cell without a look of its own. */
const PLAIN = { cell: ({ getValue }: { getValue: () => unknown }) => shown(getValue() as ReactNode) };

export function Table<T>({ rows, columns, label, rowId, onOpen }: Props<T>) {
  const table = useReactTable({
    data: rows,
    columns,
    defaultColumn: PLAIN,
    getRowId: rowId,
    getCoreRowModel: getCoreRowModel(),
  });
  const all = table.getRowModel().rows;
  const frame = useRef<HTMLDivElement>(null);
  const isVirtual = all.length > VIRTUAL_FROM;
  const virtual = useVirtualizer({
    count: all.length,
    enabled: isVirtual,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const visible = isVirtual ? items.flatMap((item) => all[item.index] ?? []) : all;
  const before = isVirtual ? (items[0]?.start ?? 0) : 0;
  const after = isVirtual ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const gap = (height: number) => height > 0 && <tr style={{ height }} />;
  return (
    <div ref={frame} className={cx(css.frame, isVirtual && css.tall)} tabIndex={isVirtual ? 0 : undefined}>
      <table className={css.table} aria-label={label} aria-rowcount={all.length + 1}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map(({ id, column, getContext }) => (
                <th
                  key={id}
                  scope="col"
                  className={cx(column.columnDef.meta?.wide && css.wide)}
                  style={{ width: column.columnDef.meta?.width }}
                >
                  {flexRender(column.columnDef.header, getContext())}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {gap(before)}
          {visible.map((row) => (
            <tr
              key={row.id}
              className={cx(onOpen && css.open)}
              onClick={(event) => {
                // A link or a button in the row keeps its own meaning.
                if (!(event.target as Element).closest("a, button, input, label")) onOpen?.(row.original);
              }}
            >
              {row.getVisibleCells().map(({ id, column, getContext }) => (
                <td key={id} className={cx(column.columnDef.meta?.wide && css.wide)}>
                  {flexRender(column.columnDef.cell, getContext())}
                </td>
              ))}
            </tr>
          ))}
          {gap(after)}
        </tbody>
      </table>
    </div>
  );
}
