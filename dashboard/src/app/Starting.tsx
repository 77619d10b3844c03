import { Loading } from "@/ui/Loading";

export const Starting = () => <Loading what="Opening the dashboard" />;
