// Markdown of others. HTML in it is text; what is left is sanitised, and nothing is loaded from elsewhere.
import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { escapeProse } from "@/lib/visible";
import css from "./Markdown.module.css";

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  // Loading a picture sends a request to another host: shown as a link instead.
  img: ({ src, alt }) => (
    <a href={String(src)} target="_blank" rel="noreferrer noopener">
      {alt || "a picture"}
    </a>
  ),
};

type Node = { value?: unknown; properties?: Record<string, unknown>; children?: Node[] };

/** What is read of the finished text has nothing hidden: Markdown can also name a character by its number. */
function escapeNode(node: Node): void {
  const { value, properties, children } = node;
  if (typeof value === "string") node.value = escapeProse(value);
  for (const [name, words] of Object.entries(properties ?? {}))
    if (properties && (name === "alt" || name === "title") && typeof words === "string")
      properties[name] = escapeProse(words);
  children?.forEach(escapeNode);
}
const visible = () => escapeNode;

function Markdown({ text }: { text: string }) {
  return (
    <div className={css.markdown}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize, visible]}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

/** The same words in the run of a line: what stands in rows and blocks is told one after the other. */
export function MarkdownLine({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[rehypeSanitize, visible]}
      allowedElements={["strong", "em", "code", "del"]}
      unwrapDisallowed
    >
      {text}
    </ReactMarkdown>
  );
}

export default memo(Markdown);
