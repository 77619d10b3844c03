// The reference of the API at `/docs`: Swagger UI with the gateway's own document.
//
// The page is for reading. It takes no token and sends no request besides the one for the document.
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { theme } from "@/app/theme";
import "./reference.css";

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

/** Swagger UI has a dark theme behind a class. */
function applyTheme(): void {
  const chosen = theme();
  const isDark = chosen === "dark" || (chosen === "system" && systemIsDark.matches);
  document.documentElement.classList.toggle("dark-mode", isDark);
}

applyTheme();
systemIsDark.addEventListener("change", applyTheme);

SwaggerUI({
  dom_id: "#reference",
  url: "/openapi.json",
  deepLinking: true,
  filter: true,
  supportedSubmitMethods: [],
  // The default one is of another origin.
  validatorUrl: null,
  // Each schema is shown where it is used.
  defaultModelsExpandDepth: -1,
});
