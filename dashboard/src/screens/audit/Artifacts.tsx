import { createColumnHelper } from "@tanstack/react-table";
import type { Schemas } from "@/api/client";
import { Card } from "@/ui/Card";
import { Digest } from "@/ui/Digest";
import { Table } from "@/ui/Table";

type Row = Schemas["RunArtifactRef"] & { way: "in" | "out" };
const column = createColumnHelper<Row>();
const columns = [
  column.accessor("way", { header: "", cell: ({ getValue }) => (getValue() === "in" ? "Read" : "Made") }),
  column.accessor("artifact_kind", { header: "Kind" }),
  column.accessor("artifact_id", {
    header: "Artifact",
    cell: ({ getValue }) => <Digest of={getValue()} length={36} />,
  }),
  column.accessor("hash_sha256", {
    header: "SHA-256",
    meta: { wide: true },
    cell: ({ getValue }) => <Digest of={getValue()} length={24} />,
  }),
];

/** What a call read and made, by digest. */
export function Artifacts({ inputs, outputs }: Record<"inputs" | "outputs", Schemas["RunArtifactRef"][]>) {
  const rows: Row[] = [
    ...inputs.map((ref) => ({ ...ref, way: "in" as const })),
    ...outputs.map((ref) => ({ ...ref, way: "out" as const })),
  ];
  if (rows.length === 0) return null;
  return (
    <Card title="Artifacts" flush>
      <Table rows={rows} columns={columns} label="Artifacts" rowId={(row) => row.way + row.artifact_id} />
    </Card>
  );
}
