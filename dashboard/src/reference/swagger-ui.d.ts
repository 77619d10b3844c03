// What the page uses of swagger-ui-dist, which brings no types.
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export default function SwaggerUI(options: Record<string, unknown>): unknown;
}
