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
  // A picture's address is a request to somebody: shown as a link instead.
  img: ({ src, alt }) => (
    <a href={String(src)} target="_blank" rel="noreferrer noopener">
      {alt || "a picture"}
    </a>
  ),
};

function Markdown({ text }: { text: string }) {
  return (
    <div className={css.markdown}>
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize]} components={components}>
        {escapeProse(text)}
      </ReactMarkdown>
    </div>
  );
}

/** The same words in the run of a line: what stands in rows and blocks is told one after the other. */
export function MarkdownLine({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[rehypeSanitize]}
      allowedElements={["strong", "em", "code", "del"]}
      unwrapDisallowed
    >
      {escapeProse(text)}
    </ReactMarkdown>
  );
}

export default memo(Markdown);
