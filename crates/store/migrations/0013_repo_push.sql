-- What agents may push to a repository. Nothing, until an administrator says otherwise.
ALTER TABLE repos ADD COLUMN push TEXT NOT NULL DEFAULT 'never' CHECK (push IN ('never', 'branches', 'any'));
