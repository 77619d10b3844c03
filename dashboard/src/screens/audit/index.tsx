import { Route, Routes } from "react-router";
import { NotFound } from "@/app/NotFound";
import { Chain } from "./Chain";
import { Timeline } from "./Timeline";
import { Verify } from "./Verify";

export default function AuditScreen() {
  return (
    <Routes>
      <Route index element={<Timeline />} />
      <Route path="runs/:runId" element={<Chain />} />
      <Route path="verify" element={<Verify />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
