// Files that the API gives out, handed to the browser's downloads.
import { api, body } from "@/api/client";

export function save(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The bytes of an artifact. They come checked against their digest. */
export async function downloadArtifact(id: string, name: string): Promise<void> {
  const answer = api.GET("/v1/artifacts/{id}/content", { params: { path: { id } }, parseAs: "blob" });
  save(new File([(await body(answer as Promise<never>)) as Blob], name));
}
