import css from "./Spinner.module.css";

export const Spinner = () => <span className={css.spinner} aria-hidden="true" />;
