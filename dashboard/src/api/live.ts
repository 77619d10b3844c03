// The live protocol, as the gateway's reference has it.
export type * from "../../../docs/reference/live";
