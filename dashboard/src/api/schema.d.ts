// Generated from docs/reference; `npm run generate` writes it.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The dashboard; in a build without it, a page that says how to build it. */
        get: operations["home"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The API's reference, as a page of the dashboard's build. */
        get: operations["docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/errors/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The meaning of an error code and its remedy. */
        get: operations["error_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the process alive? Checks no dependency. */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/tools/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same with the session in the body, and a failure of the tool as a failure of the request. */
        post: operations["tool_callback_internal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llm/anthropic/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a request to the session's model.
         * @description Anthropic's Messages API, whole or as a stream. The key is the session's own (`mdl_...`, as `x-api-key` or as a
         *     bearer token) and is valid for the boot of the sandbox it was issued for. The body is passed to the provider
         *     unchanged, but for the model's name. Usage is counted, and a session that has used up its budget gets 402.
         *     Errors are in the provider's envelope.
         */
        post: operations["model_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llm/anthropic/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Count the tokens of a request to the session's model. Free of charge. */
        post: operations["model_token_count"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/dev": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The target of a one-time link: logs the browser in and redirects to the dashboard.
         * @description `proliferate dev` prints such a link, and `proliferate login-link` creates one.
         */
        get: operations["login_link"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Log in with an external account: redirects to an identity provider of the installation.
         * @description `GET /v1/login` lists the providers. Without a name it is the one of the settings `login.oidc_*`, or the only one.
         */
        get: operations["login_oidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/oidc/backchannel-logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the logins of a session or user of an identity provider, which the provider asks for.
         * @description The body is a form with `logout_token`, as OpenID Connect Back-Channel Logout 1.0 describes it. A token counts once, for
         *     five minutes after it was issued.
         */
        post: operations["login_oidc_backchannel_logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The callback of the identity provider.
         * @description It takes no token: the state in the URL and the cookie of the browser that started belong together, for ten minutes.
         */
        get: operations["login_oidc_callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics in Prometheus' text format; 404 if they are on a listener of their own. */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The OpenAPI 3.1 document of this gateway. */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a session.
         * @description With an `Idempotency-Key`, a repeated request returns 200 with the session it created before; a
         *     different request under the same key is refused. An empty object creates a scratch session: an
         *     empty workspace.
         */
        post: operations["session_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/sessions/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Has the session ended, and if so, when and why? */
        get: operations["session_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch and steer a session over a WebSocket; without an upgrade, its sandbox.
         * @description A client that cannot send an `Authorization` header offers the subprotocols `proliferate.v1` and `bearer.TOKEN`,
         *     or sends `{"type": "auth", "token": TOKEN}` as the first frame. Frames are those of docs/reference/live.schema.json; each
         *     event has its position in the log (`seq`), and a client that reconnects with the last one as `after` gets the missed
         *     events and none twice.
         */
        get: operations["session_attach"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/actions/available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The actions of the session: connected services with their actions, and those that do not
         *     respond.
         */
        get: operations["action_available"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/actions/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Grants that the session can use now, newest first. */
        get: operations["action_grant_list"];
        put?: never;
        /** Request a grant. An admin decides; until then nothing is granted. For the agent in its sandbox. */
        post: operations["action_grant_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/actions/guide/{integration}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How to use a service, in Markdown. */
        get: operations["action_guide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/actions/invocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invocations of a session, newest first. */
        get: operations["action_invocation_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/actions/invocations/{invocation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The status of an invocation. */
        get: operations["action_invocation_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/actions/invocations/{invocation}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve the call that the approver saw, and run it: `callSha256` identifies it. With `mode` `grant` a grant for more
         *     calls of the same action is created in the same step. For admins and owners.
         * @description If the call, the tool or the policy changed since the request, it waits again: 202.
         */
        post: operations["action_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/actions/invocations/{invocation}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the whole call of an invocation that has not ended: only credentials of the gateway are removed from its
         *     parameters, and nothing is truncated. For admins and owners. Opening it is recorded.
         */
        get: operations["action_open"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/actions/invocations/{invocation}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deny a pending invocation. For admins and owners. */
        post: operations["action_deny"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/actions/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request an action. A read, and a write that a grant covers, runs at once; another write waits for
         *     an approval; danger is denied.
         * @description While it waits, `GET .../invocations/{invocation}` returns its status. With an `Idempotency-Key` a
         *     repeated request returns the first one's invocation.
         */
        post: operations["action_invoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the agent's turn. */
        post: operations["session_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/eager-start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Boot a session's agent without waiting for a client. The session's initial prompt, if it has one, is sent to the
         *     agent, once however often this is called.
         */
        post: operations["session_eager_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a session: the conversation so far, then every event as it happens.
         * @description Each event's `id` is its position in the log. A client that reconnects with `Last-Event-ID`, or with
         *     `after`, gets the missed events and none twice.
         */
        get: operations["session_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/git/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The changes since the last commit. A paused session is not resumed: 409. */
        get: operations["git_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/git/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The state of a repository of the session. A paused session is not resumed: 409. */
        get: operations["git_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/git/{repo}/git-receive-pack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Push to a repository of the session, as far as its `push` allows. */
        post: operations["git_receive_pack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/git/{repo}/git-upload-pack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fetch from a repository of the session. */
        post: operations["git_upload_pack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/git/{repo}/info/refs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The refs of a repository of the session: git's first request. The sandbox's token is the password of HTTP Basic, or
         *     a bearer token.
         */
        get: operations["git_refs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep a session from being evicted for being idle. */
        post: operations["session_heartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/look/{ticket}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a port of a session's sandbox, by the URL that `POST /v1/sessions/{id}/preview` returned. Paths below it
         *     are proxied to that server, with any method.
         */
        get: operations["session_preview_look"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The Model Context Protocol, for agents: the actions of the session, as tools.
         * @description One message of JSON-RPC in each request; the response is JSON, or a stream of events if there is progress
         *     to report. Versions 2024-11-05 to 2026-07-28, without sessions of the protocol's own: any instance serves
         *     any request. Errors of the protocol and of tools are responses with status 200.
         */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a prompt to the agent. It is recorded at once, and sent to the agent as soon as that is ready; a
         *     paused session is resumed.
         */
        post: operations["session_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/preview/{port}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the port that the session has exposed. Paths below this URL are proxied to that server, with any method;
         *     other methods than GET, and WebSockets, need permission to steer the session.
         * @description Tokens, cookies and the request's origin are not passed on; cookies and policies of the server are not passed back.
         *     Pages have an opaque origin.
         */
        get: operations["session_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/terminal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A terminal in the session's sandbox, for callers who may steer the session; a paused one is resumed.
         * @description The token is sent as for the session's stream. Frames are terminal input, except the text `{"type":
         *     "resize", "cols": .., "rows": ..}`; output is sent as binary frames, and the end as the text
         *     `{"type": "exit", "code": ..}`. Closing the connection ends everything in the terminal.
         */
        get: operations["session_terminal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/tools/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool of the session's mode, once for each `tool_call_id`.
         * @description Waits for the result; after 15 s the response states that the work is under way, and the same call joins
         *     it. A repeated call returns the result of the first. A failure of the tool is a result too.
         */
        post: operations["tool_callback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proliferate/{id}/verification-media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The evidence that the session's agent submitted with `verify`: a list, one file of it, or with `stream` that
         *     file's bytes.
         * @description The bytes are checked against their digest before the first is sent. Files that a browser could run are sent as
         *     downloads, never to be shown.
         */
        get: operations["verification_media"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Can it serve: do the database, the coordination service and storage respond? A draining instance cannot. */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A session's page: redirects to its address in the dashboard. */
        get: operations["session_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invocations of all sessions, newest first. */
        get: operations["action_inbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deny many pending invocations, of any sessions. For admins and owners.
         * @description Each is decided separately: the response states for every one whether it was denied, and why not. A repeated
         *     request denies the rest.
         */
        post: operations["action_deny_many"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An invocation of any session of the organization. */
        get: operations["action_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why an invocation ran without an approval request, or the verdict of every grant on such a call. */
        get: operations["action_explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your API keys; those of all users if you are an admin. */
        get: operations["api_key_list"];
        put?: never;
        /** Create an API key. Only this response shows it. */
        post: operations["api_key_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key: your own, or any user's if you are an admin. */
        delete: operations["api_key_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The artifacts of a case or of a session, newest first. */
        get: operations["artifact_list"];
        put?: never;
        /** Upload an artifact: the body is the bytes, `Content-Type` is their media type. */
        post: operations["artifact_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The metadata of an artifact. */
        get: operations["artifact_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The bytes of an artifact, checked against their digest before the first is sent. Those of an export
         *     bundle require an earlier call of `export.bundle.download` for it.
         */
        get: operations["artifact_content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The trail of a case or session: its records with their proofs, the policy files that decided and the
         *     artifacts by digest, in one file that `proliferate audit verify` checks offline.
         */
        get: operations["audit_bundle_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed size and root of the organization's log. Keep it: a log that is later shorter, or has another
         *     root at this size, was rolled back or rewritten.
         */
        get: operations["audit_checkpoint_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The proof that the log of one size is a prefix of the log of another. */
        get: operations["audit_consistency_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events of the organization's log, newest first. An event appears about a second after it happened. */
        get: operations["audit_event_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public key that the organization's checkpoints are signed with, so that a browser or a program can verify
         *     them without trusting this gateway. Compare it with the key you received earlier.
         */
        get: operations["audit_key_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The proof that an event is in the signed log. 404 until it is signed, at most a minute after it happened. */
        get: operations["audit_proof_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation-runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A run of an automation. */
        get: operations["automation_run_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organization's automations, newest first. */
        get: operations["automation_list"];
        put?: never;
        /** Add an automation. */
        post: operations["automation_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An automation. */
        get: operations["automation_show"];
        put?: never;
        post?: never;
        /** Delete an automation with the record of its runs, unless one is under way. Their sessions stay. */
        delete: operations["automation_delete"];
        options?: never;
        head?: never;
        /** Change an automation. Runs under way keep their settings. */
        patch: operations["automation_update"];
        trace?: never;
    };
    "/v1/automations/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The runs of an automation, newest first. */
        get: operations["automation_run_list"];
        put?: never;
        /**
         * Start a run: a session of its own whose first prompt is the automation's instructions.
         * @description Responds when its sandbox is ready. With an `Idempotency-Key`, a repeated request returns 200 with the run it
         *     started before.
         */
        post: operations["automation_run_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The cases you are a member of, newest first. */
        get: operations["case_list"];
        put?: never;
        /** Open a case; you are its first member. */
        post: operations["case_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A case, its members and its meetings; for members alone. */
        get: operations["case_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cases/{id}/client-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a meeting with the client; for members alone. */
        post: operations["case_client_session_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cases/{id}/members/{member}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Add a member to a case. For users who are members, and administrators. */
        put: operations["case_member_add"];
        post?: never;
        /** End a membership. For users who are members, and administrators. */
        delete: operations["case_member_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cases/{id}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The records of a case, newest first: what calls of `record.write` stored. */
        get: operations["case_record_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/configurations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organization's configurations, newest first. */
        get: operations["configuration_list"];
        put?: never;
        /** Create a configuration. */
        post: operations["configuration_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/configurations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A configuration. */
        get: operations["configuration_show"];
        put?: never;
        post?: never;
        /** Delete a configuration that no session refers to. */
        delete: operations["configuration_delete"];
        options?: never;
        head?: never;
        /** Change a configuration; a given list replaces the whole list. */
        patch: operations["configuration_update"];
        trace?: never;
    };
    "/v1/configurations/{id}/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The connectors of a configuration; its sessions have the organization's as well. */
        get: operations["configuration_connectors_show"];
        /** Replace the connectors of a configuration by this list. For admins. */
        put: operations["configuration_connectors_replace"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/configurations/{id}/connectors/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test a connector for a configuration, saved or not. For admins. */
        post: operations["configuration_connectors_validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/configurations/{id}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The snapshots of a configuration: the one it starts from, and those of its sessions, newest first.
         * @description `PATCH /v1/configurations/{id}` with a `snapshotId` selects another one.
         */
        get: operations["configuration_snapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The connectors of the whole organization, newest first. */
        get: operations["connector_list"];
        put?: never;
        /** Add a connector for the organization or for one configuration. For admins. */
        post: operations["connector_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** MCP servers that are known in advance. */
        get: operations["connector_presets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test a connector, saved or not: its tools with their risks, or what failed. For admins. */
        post: operations["connector_validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A connector, of the organization or of one of its configurations. */
        get: operations["connector_show"];
        put?: never;
        post?: never;
        /** Remove a connector. For admins. */
        delete: operations["connector_delete"];
        options?: never;
        head?: never;
        /** Change a connector; a given member is replaced as a whole. For admins. */
        patch: operations["connector_update"];
        trace?: never;
    };
    "/v1/connectors/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept definitions of a connector's tools, each as it was reviewed. For admins. */
        post: operations["connector_review"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tools of a connector's server, at most five minutes old or freshly listed: the risk of each and why, and which
         *     definitions have changed since they were accepted. New tools are pinned.
         */
        get: operations["connector_tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes in the organization, as they happen: which calls wait or were decided, which grants and sessions changed.
         *     Clients read the current state separately.
         * @description `data` of each event is a `NewsEvent`. The first one is `begun`, after which a client reads what it shows; after
         *     `missed` it reads it again. Missed events are not kept. A stream ends soon after the credential it was opened with:
         *     a client cannot listen longer than its permissions last.
         */
        get: operations["news"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fleet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The live instances, with their live sessions by phase and the leases that they hold, and the job queue of all
         *     organizations. For operators, as all of the fleet.
         * @description The data of other instances is from their last heartbeat, at most 10 s ago.
         */
        get: operations["fleet_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fleet/instances/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One instance, in its current state. For operators. */
        get: operations["instance_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fleet/instances/{id}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drain an instance: it accepts no new sessions and hands its own over to other instances. For operators.
         * @description Responds at once; `drain.left` is the number of sessions that are still on it, and `/ready` is 503 meanwhile.
         *     Where no other instance accepts sessions, their sandboxes are saved and they are paused. Repeating it is not an
         *     error.
         */
        post: operations["instance_drain"];
        /**
         * Let an instance accept sessions again. Sessions that it handed off stay where they are. For
         *     operators.
         */
        delete: operations["instance_undrain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grant-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Grant requests, newest first. */
        get: operations["grant_request_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grant-requests/{id}/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Grant a request: the response is the grant. For admins and owners. */
        post: operations["grant_request_grant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grant-requests/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse a grant request. For admins and owners. */
        post: operations["grant_request_refuse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Grants of the organization, newest first: who created them, how often they were used, and when
         *     last.
         */
        get: operations["grant_list"];
        put?: never;
        /** Create a grant: writes that it covers run without an approval request. For admins and owners. */
        post: operations["grant_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Which calls of the last 30 days a grant would have allowed. Nothing is saved. For admins and owners. */
        post: operations["grant_backtest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A grant. */
        get: operations["grant_show"];
        put?: never;
        post?: never;
        /** Revoke a grant. No call starts under it from now on. For admins and owners. */
        delete: operations["grant_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants/{id}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The calls that ran under a grant, newest first. */
        get: operations["grant_list_calls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/installation/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check what this installation stands on: database, coordination, storage, sandboxes, model, listeners. For operators.
         * @description The checks of `proliferate doctor`, as the instance that answers sees them. They take some seconds, twenty at most, and
         *     run one at a time.
         */
        post: operations["installation_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organization's connections, newest first. */
        get: operations["integration_list"];
        put?: never;
        /** Connect a service by its API token, or GitHub by the organization's own app. For admins. */
        post: operations["integration_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The callback page of a service's authorization.
         * @description It takes no token: the state in the URL and the cookie of the browser that started belong
         *     together, once and for ten minutes.
         */
        get: operations["integration_callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start connecting a service through its authorization page. For admins.
         * @description The response has the URL to open, and sets a cookie that the callback requires.
         */
        post: operations["integration_connect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A connection. */
        get: operations["integration_show"];
        put?: never;
        post?: never;
        /** Disconnect. An admin may remove any connection, a member their own. */
        delete: operations["integration_delete"];
        options?: never;
        head?: never;
        /** Rename, suspend or reconnect. For admins. */
        patch: operations["integration_update"];
        trace?: never;
    };
    "/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The invitations that were neither accepted nor revoked, newest first. For admins. */
        get: operations["invitation_list"];
        put?: never;
        /**
         * Invite a person. For admins; only an owner invites an owner.
         * @description Only this response has the link. It can be used once. With an address and a mail server, a link of its own is mailed
         *     there.
         */
        post: operations["invitation_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation: become a member, and log this browser in. Needs no credential but the code of the link.
         * @description With a name, a new user is created. Without name and address, the user whose login the browser has joins. An existing
         *     user is signed in only by a link that was mailed to the user's address.
         */
        post: operations["invitation_accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the invitation of a link offers. Needs no credential but the code of the link. */
        post: operations["invitation_inspect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation: its link is refused from now on. For admins. */
        delete: operations["invitation_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jobs for the organization's sessions: waiting, running and finished, newest first. For admins.
         * @description Finished jobs are kept for a week.
         */
        get: operations["job_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The available ways to log in. */
        get: operations["login_options"];
        put?: never;
        /**
         * Log this browser in: sets a cookie that authenticates the caller from then on.
         * @description The cookie is `HttpOnly` and `SameSite=Strict`. Requests that change something with it need the header
         *     `X-Proliferate-Csrf: 1` and must come from the gateway's own pages. A login lasts twelve hours without use, a week
         *     at most, and no longer than the token or key it was created from.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The login of a terminal that waits under a code. For members with a browser login. */
        get: operations["device_login_show"];
        put?: never;
        /**
         * Start the login of a terminal.
         * @description The terminal shows the code and the address. A member opens the address in a browser that is signed in, compares the
         *     code and decides. Meanwhile the terminal asks at `/v1/login/device/token`. The codes are good for ten minutes.
         */
        post: operations["device_login_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login/device/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or deny the login of a terminal, once. For members with a browser login.
         * @description Approved, the terminal gets an API key of the member, named after its machine and good for 90 days.
         */
        post: operations["device_login_decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask whether a terminal was approved, and get its key once it was. One answer has the key. */
        post: operations["device_login_redeem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a sign-in link by mail. The response is the same whether or not a member has the address.
         * @description The link can be used once, for 15 minutes. `GET /v1/login` says whether a mail server is configured.
         */
        post: operations["login_mail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log this browser out. Without a login there is nothing to do.
         * @description After a login by an identity provider that can end its session, the answer says where the browser does that.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who am I, and what is my role in this organization? */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The members of the organization, and their roles. */
        get: operations["member_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member, or leave the organization. Admins remove members, owners also owners.
         * @description Sessions and automations of the member go to the successor. Logins, API keys and codes of the member end at once,
         *     invitations that they made are revoked, and open streams end within seconds. The last admin, and the last owner, stay.
         */
        delete: operations["member_remove"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member. For admins; only owners add and change owners.
         * @description The last admin, and the last owner, keep their role. A role that an identity provider manages is changed there.
         */
        patch: operations["member_update"];
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The known models and the spellings of each. */
        get: operations["model_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's organization. */
        get: operations["organization_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename the organization. For owners. Its id and its slug stay. */
        patch: operations["organization_update"];
        trace?: never;
    };
    "/v1/organization/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What each session of the organization may spend on its models, where neither it nor its configuration has a budget. */
        get: operations["organization_budget_show"];
        /**
         * Set what each session of the organization may spend on its models; `null` restores the operator's setting. For
         *     admins.
         * @description Applies to existing sessions, from their next request on. Sessions that were paused for the budget and may continue
         *     are resumed, with their waiting prompts.
         */
        put: operations["organization_budget_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to delete the organization. For owners.
         * @description From now on it starts nothing, and its live sessions are saved and paused. For seven days an owner can take that back;
         *     afterwards an operator of the installation removes all of its data, and keeps a signed export of its audit log.
         */
        post: operations["organization_deletion_begin"];
        /** Take the deletion of the organization back. For owners. It then is what it was before. */
        delete: operations["organization_deletion_cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The limits of the organization: what the operator and the organization set, what is in force, and what is used now. */
        get: operations["organization_limits_show"];
        /**
         * Choose the limits of the organization, all of them at once; `null` is no limit of its own. For admins.
         * @description A value above the operator's ceiling is refused, with the field and the ceiling. What runs when a limit is lowered goes
         *     on; nothing further begins. Sessions that rest for a spend limit go on when it is raised.
         */
        put: operations["organization_limits_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization/sharing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether members may make share links, and those that exist work. */
        get: operations["organization_sharing_show"];
        /**
         * Allow share links, or switch them off. For admins.
         * @description Switched off, links that exist stop at once. Those that have not expired work again when links are allowed again.
         */
        put: operations["organization_sharing_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organizations of this installation. For operators. */
        get: operations["organization_list"];
        put?: never;
        /**
         * Make an organization with its owner. For operators.
         * @description The answer has a link that logs the owner in once, within an hour. A user with this address becomes the owner;
         *     otherwise a user is made.
         */
        post: operations["organization_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The limits of any organization. For operators. */
        get: operations["organization_ceiling_show"];
        /**
         * Set the ceilings of an organization, all of them at once; `null` is none. For operators.
         * @description What the organization chose stays, and counts where it is smaller.
         */
        put: operations["organization_ceiling_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the suspension of an organization. For operators. Paused sessions continue when they are opened. */
        post: operations["organization_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend an organization: it starts nothing and keeps everything. For operators.
         * @description Its callers can read, and its live sessions are saved and paused. Suspending it again changes the reason.
         */
        post: operations["organization_suspend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/override-tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tickets of the organization, newest first. */
        get: operations["override_ticket_list"];
        put?: never;
        /**
         * Request an exemption of a lane from the lock for a time. Another admin has to approve it. For admins
         *     and owners.
         */
        post: operations["override_ticket_open"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/override-tickets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A ticket. */
        get: operations["override_ticket_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/override-tickets/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a ticket that another admin opened. It can then be used once, by `override.enable` in the lane
         *     `SYSTEM_OVERRIDE`. For admins and owners.
         */
        post: operations["override_ticket_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/override-tickets/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Close an unused ticket. One that is in use ends by `override.disable`. For admins and owners. */
        post: operations["override_ticket_close"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The policy in force: lanes, roles and tools, with the pins of its files. */
        get: operations["policy_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The differences between two policies. */
        get: operations["policy_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The policies in use over time: the one in force, then earlier ones, newest first; a hundred at
         *     most.
         */
        get: operations["policy_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/who-can": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which roles may call a tool, and in which lanes. */
        get: operations["policy_who_can"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether a call would be permitted, and every check that would fail.
         * @description Nothing is called. Everything that would be looked up is assumed to be valid: the run, the scope values.
         */
        post: operations["policy_why"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{id}/chunks/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a chunk of a recording: the body is its bytes. A recording is opened by a call of
         *     `dictation.start` and has the id of that call's run; `dictation.stop` makes one audio artifact of the
         *     chunks, in the order of their numbers. The same chunk may be uploaded again.
         */
        put: operations["recording_chunk_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/repos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organization's repositories, newest first. */
        get: operations["repo_list"];
        put?: never;
        /** Add a repository. */
        post: operations["repo_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/repos/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A repository. */
        get: operations["repo_show"];
        put?: never;
        post?: never;
        /** Remove a repository, also from the configurations that use it. */
        delete: operations["repo_delete"];
        options?: never;
        head?: never;
        /** Change a repository. */
        patch: operations["repo_update"];
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a run that tool calls can belong to, or create the run of one call in advance. It is pinned to
         *     the policy in force.
         */
        post: operations["run_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The status of a run; with `wait`, its end, if it ends in time. */
        get: operations["run_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a run. Its effects are not undone. */
        post: operations["run_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/children": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The runs below a run, newest first. */
        get: operations["run_list_children"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a run that was opened: no call can belong to it afterwards. */
        post: operations["run_end"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/safety-lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the organization's calls are locked, and which lanes are exempt. */
        get: operations["safety_lock_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/safety-lock/engage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop every call of the organization, from the next decision on. Calls under way continue. For admins and owners. */
        post: operations["safety_lock_engage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/safety-lock/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Release the lock. Its tickets end with it. For admins and owners. */
        post: operations["safety_lock_release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organization's secrets, newest first, without their values. */
        get: operations["secret_list"];
        put?: never;
        /** Store a secret. An existing key in the scope is refused: use `PATCH` to replace it. */
        post: operations["secret_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Which of these keys exist in the scope? */
        post: operations["secret_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store many secrets from the text of a .env file, all or nothing. */
        post: operations["secret_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a secret. */
        delete: operations["secret_delete"];
        options?: never;
        head?: never;
        /** Replace a secret's value or description. */
        patch: operations["secret_update"];
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organization's sessions, newest first, with the cost of each, the number of things that wait for a
         *     user, and the instance that serves it.
         */
        get: operations["session_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A session and its connections. */
        get: operations["session_show"];
        put?: never;
        post?: never;
        /** Stop a session for good. Its record stays; stopping it again changes nothing. */
        delete: operations["session_stop"];
        options?: never;
        head?: never;
        /** Change a session's title; `null` removes it. */
        patch: operations["session_update"];
        trace?: never;
    };
    "/v1/sessions/{id}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set a session's own model budget; `null` removes the limit. Takes effect with its next request. */
        put: operations["session_budget_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/env": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Provide the values that a session's agent requested.
         * @description They are written to the env file of its sandbox; secrets are also stored for its next sandbox, replacing stored
         *     ones. A paused session is resumed. The agent gets the names.
         */
        post: operations["session_env_submit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/migrate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Migrate a session to a fresh sandbox, with its files and its conversation. For admins.
         * @description Prompts wait meanwhile, in order; clients see `migrating`, and the outcome. If no fresh sandbox is available, the
         *     session continues in its old one. An unused session is paused instead.
         */
        post: operations["session_migrate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a browser show a port of a session's sandbox in a frame: returns a URL that is valid for an hour.
         * @description A client with the URL has the requester's access to this port of this session, and to nothing else.
         */
        post: operations["session_preview_open"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/share-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The share links of a session, newest first, those that are over included. For its creator and admins. */
        get: operations["share_link_list"];
        put?: never;
        /**
         * Make a link to a session's transcript. For its creator and admins.
         * @description A reader with the link needs no credential, and sees what was recorded until the link expires or is revoked: no
         *     secrets, parameters of approvals, previews or terminals. The address is shown only now; the gateway keeps its digest.
         */
        post: operations["share_link_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/share-links/{link}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a share link: it shows nothing from now on. Revoking it again changes nothing. */
        delete: operations["share_link_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/sharing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which members see a session, who is named for it, and what the caller may do with it. */
        get: operations["session_sharing_show"];
        /**
         * Set which members see a session, and who is named for it. For its creator and admins.
         * @description Admins and owners see every session. To a member who does not see it, the session does not exist: its streams,
         *     terminals and previews end at once.
         */
        put: operations["session_sharing_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The snapshots of a session: those of its sandboxes, and the one it started from, newest first.
         * @description `POST /proliferate/sessions` with a `snapshotId` starts another session from one of them.
         */
        get: operations["session_snapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/tool-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The calls of a session's tools through this route, newest first. */
        get: operations["tool_callback_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A session's model usage: tokens, their cost, and its budget. */
        get: operations["session_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the first organization of this installation with its owner, and log the owner in.
         * @description Uses the link up. The admins of the organization operate the installation, unless the setting `fleet.operators` names
         *     others. The cookie is that of `POST /v1/login`.
         */
        post: operations["setup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/setup/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether a setup link can be used, and if not, why. */
        post: operations["setup_inspect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a shared transcript, a page at a time, by the code of a share link.
         * @description A link that expired, was revoked or never existed gets one answer. The first opening within an hour is recorded in the
         *     organization's audit log. Each client, and each link, has a number of pages a minute.
         */
        post: operations["shared_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool. Calls that the policy does not allow are denied, and every attempt is recorded.
         * @description A slow call returns `allow` with its run, to be polled with `GET /v1/runs/{id}?wait=`. With an
         *     `Idempotency-Key` a repeated call returns the first one's response.
         */
        post: operations["tool_call"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organization's webhooks, newest first. For admins. */
        get: operations["webhook_list"];
        put?: never;
        /** Add a webhook. Only this response shows its secret. For admins. */
        post: operations["webhook_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A webhook, and whether its receiver accepts deliveries. For admins. */
        get: operations["webhook_show"];
        put?: never;
        post?: never;
        /** Remove a webhook and its log. For admins. */
        delete: operations["webhook_delete"];
        options?: never;
        head?: never;
        /** Change a webhook's URL, its events, or whether it is enabled. For admins. */
        patch: operations["webhook_update"];
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The deliveries of a webhook, newest first, and their results. For admins. */
        get: operations["webhook_delivery_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a finished delivery again, accepted or not, under the same id. For admins. */
        post: operations["webhook_delivery_redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a webhook's secret. Only this response shows the new one; deliveries are also signed with the
         *     previous one for a day. For admins.
         */
        post: operations["webhook_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a signed `ping` now and return the result. It is not retried and not logged. For admins. */
        post: operations["webhook_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Accepts an invitation. Without name and address, the user who is signed in joins. */
        AcceptInvitationRequest: {
            code: components["schemas"]["SecretText"];
            /**
             * @description The address of a new user; the invitation's own if it has one.
             * @example ada@acme.example
             */
            email?: string;
            /**
             * @description The name of a new user, as other members see it.
             * @example Ada Lovelace
             */
            name?: string;
        };
        /** @description A definition that an admin has reviewed. */
        AcceptedTool: {
            /**
             * @description The action's name.
             * @example search
             */
            name: string;
            /** @description `sha256` of the reviewed definition; refused if the tool's definition has changed since. */
            sha256: string;
        };
        /** @description An approval is needed. */
        ActionApprovalRequest: {
            action: string;
            /** @description The digest of the call as it would run. A decision about it sends it. Empty from an older gateway. */
            callSha256: string;
            /**
             * Format: date-time
             * @description Until when it can be decided.
             */
            expiresAt: string;
            integration: string;
            /** Format: uuid */
            invocationId: string;
            /** @description Without secrets, at most 10 KB. */
            params: unknown;
            /** @description Whether `params` is all of the call. An admin opens any other call before deciding it. */
            paramsComplete: boolean;
            /** @description Why it has to be approved once more, if it has. */
            returnedBecause?: string[];
            riskLevel: components["schemas"]["RiskLevel"];
        };
        /** @description It was decided, or expired. */
        ActionApprovalResult: {
            action: string;
            /** @description The user who decided, in either way. */
            approvedBy?: string | null;
            integration: string;
            /** Format: uuid */
            invocationId: string;
            /** @description Their reason, or why the platform denied it. */
            reason?: string | null;
            riskLevel: components["schemas"]["RiskLevel"];
            status: components["schemas"]["ApprovalResult"];
        };
        /** @description A call of an agent waits, was decided, or ended. */
        ActionChanged: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            sessionId: string;
            status: components["schemas"]["ActionStatus"];
        };
        /** @description It ran. */
        ActionCompleted: {
            action: string;
            error?: string | null;
            integration: string;
            /** Format: uuid */
            invocationId: string;
            /** @description With a failure: whether its effect in the outside service is unknown. */
            outcomeUnknown?: boolean | null;
            /** @description Without secrets, at most 10 KB. */
            result?: unknown;
            riskLevel: components["schemas"]["RiskLevel"];
            /** @description `completed` or `failed`. */
            status: components["schemas"]["ActionStatus"];
        };
        /** @description A parameter, flattened for reading; the whole schema decides what is accepted. */
        ActionParam: {
            description: string;
            /** @example teamId */
            name: string;
            required: boolean;
            type: components["schemas"]["ActionParamType"];
        };
        /**
         * @description The type of a parameter. Lists are objects here.
         * @enum {string}
         */
        ActionParamType: "string" | "number" | "boolean" | "object";
        /**
         * @description The status of an invocation.
         * @enum {string}
         */
        ActionStatus: "pending" | "approved" | "executing" | "completed" | "failed" | "denied" | "expired";
        /** @description An action. */
        ActionView: {
            description: string;
            /** @example create_issue */
            name: string;
            params: components["schemas"]["ActionParam"][];
            riskLevel: components["schemas"]["RiskLevel"];
        };
        /** @description The configuration of the agent. */
        AgentConfigRequest: {
            agentType?: components["schemas"]["AgentType"] | null;
            /**
             * @description Any spelling of a known model; `GET /v1/models` lists them.
             * @example claude-opus-4.6
             */
            modelId?: string | null;
            /** @description Narrows the tools of the session's type. */
            tools?: string[] | null;
        };
        /** @description The agent configuration of a session. */
        AgentConfigView: {
            agentType: components["schemas"]["AgentType"];
            /** @example claude-opus-4.6 */
            modelId: string;
            /** @description `null` keeps the tools of the session's type. */
            tools?: string[] | null;
        };
        /**
         * @description Which agent runs in the sandbox.
         * @enum {string}
         */
        AgentType: "opencode";
        /** @description An API key's record. */
        ApiKeyView: {
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt?: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description The first characters of the key, to tell keys apart.
             * @example pk_3f9a1c07
             */
            prefix: string;
            /** Format: date-time */
            revokedAt?: string | null;
            /** @description The user the key belongs to. */
            userId: string;
        };
        /**
         * @description What an approval covers.
         * @enum {string}
         */
        ApprovalMode: "once" | "grant";
        /**
         * @description How an approval request ended.
         * @enum {string}
         */
        ApprovalResult: "approved" | "denied" | "expired";
        /**
         * @description Approves a pending invocation.
         * @example {
         *       "callSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "grant": {
         *         "maxCalls": 5,
         *         "scope": "session"
         *       },
         *       "mode": "grant"
         *     }
         */
        ApproveRequest: {
            /**
             * @description `callSha256` of the call that the approver saw: of the invocation if its `paramsComplete` is true, else of the
             *     call as it was opened. If it is not the digest of the pending call, or the call was requested again since, the
             *     response is 409.
             */
            callSha256: string;
            grant?: components["schemas"]["GrantTerms"] | null;
            /** @description `once` if absent. */
            mode?: components["schemas"]["ApprovalMode"];
        };
        /** @description The invocation after its approval, and its result. */
        ApproveResponse: {
            grant?: components["schemas"]["ApprovedGrant"];
            invocation: components["schemas"]["InvocationView"];
            result?: Record<string, never> | null;
        };
        /** @description The grant that was created with an approval. */
        ApprovedGrant: {
            action: string;
            /** Format: uuid */
            id: string;
            integration: string;
            /** Format: int32 */
            maxCalls?: number | null;
        };
        /** @description How an artifact was made. */
        ArtifactLineage: {
            /** @description The artifacts it was made from. */
            derived_from: string[];
            /** Format: uuid */
            run_id: string;
            /**
             * @description The operation that made it.
             * @example ocr.extract
             */
            transformation: string;
        };
        /** @description A stored artifact. */
        ArtifactRef: {
            /** Format: uuid */
            artifact_id: string;
            /** @example transcript */
            artifact_kind: string;
            /** Format: int64 */
            byte_size: number;
            /**
             * @description The case it belongs to, if it belongs to one.
             * @example CASE-2026-014
             */
            case_id?: string;
            /** @example application/pdf */
            content_type: string;
            /** Format: date-time */
            created_at_utc: string;
            /** @description The digest of the bytes, 64 lower-case hexadecimal digits. */
            hash_sha256: string;
            hash_source: components["schemas"]["HashSource"];
            /** @description How it was made; absent for an upload. */
            lineage?: components["schemas"]["ArtifactLineage"];
            scope: components["schemas"]["ArtifactRefScope"];
            /**
             * Format: uuid
             * @description The session it belongs to otherwise.
             */
            session_id?: string;
            /** @description Opaque; `artifact:` and the id. */
            storage_locator: string;
        };
        /**
         * @description The scope of an artifact.
         * @enum {string}
         */
        ArtifactRefScope: "case" | "session";
        /**
         * @description What was done.
         * @enum {string}
         */
        AuditActionType: "authz_decision" | "tool_call" | "db_write" | "db_read" | "policy_change" | "promotion" | "export" | "override" | "system";
        /** @description The signed size and root of a log. */
        AuditCheckpointView: {
            /** @description The signed note (C2SP). With `Accept: text/plain` it is the whole response. */
            checkpoint: string;
            /** @description The root of the Merkle tree over them, hexadecimal. */
            root: string;
            /** Format: date-time */
            signedAt: string;
            /**
             * Format: int64
             * @description How many records it covers.
             */
            size: number;
            /** @description The key to verify the note with. Compare it with one obtained through another channel. */
            verifierKey: string;
        };
        /** @description A proof that a shorter log is a prefix of a longer one (RFC 6962). */
        AuditConsistencyView: {
            /** Format: int64 */
            from: number;
            /** @description Hexadecimal. */
            proof: string[];
            /** Format: int64 */
            to: number;
        };
        /** @description The key that checkpoints are signed with. */
        AuditKeyView: {
            /** @description Always `Ed25519`. */
            algorithm: string;
            /** @description The log's name, with which its checkpoints start. */
            name: string;
            /** @description The key itself, 32 bytes in base64. */
            publicKey: string;
            /** @description The same in the format of verifiers of signed notes: `NAME+HASH+KEY`. */
            verifierKey: string;
        };
        /**
         * @description How it ended.
         * @enum {string}
         */
        AuditOutcome: "allow" | "deny" | "success" | "failure";
        /** @description A proof that an event is in the signed log (RFC 6962). */
        AuditProofView: components["schemas"]["AuditRecordView"] & {
            /** @description The signed note whose size and root the proof is for. */
            checkpoint: string;
            /** @description Hashes from the leaf to the root, hexadecimal. */
            proof: string[];
        };
        /** @description An event with its position in the organization's log. */
        AuditRecordView: {
            /** Format: uuid */
            eventId: string;
            /** @description SHA-256 of 0x00 and the canonical record. */
            leaf: string;
            /**
             * @description The record as it was hashed: `event` in the contract's names, `ledger_id`, `seq`, `prev`, and its
             *     positions in the trails of its case and session.
             */
            record: Record<string, never>;
            /**
             * Format: int64
             * @description Its number in the log, from 0 without a gap.
             */
            seq: number;
        };
        /**
         * @description The kinds of authority.
         * @enum {string}
         */
        AuthorityKind: "read" | "grant" | "approval";
        /** @description What authorized a call. */
        AuthorityView: {
            /** Format: uuid */
            grantId?: string;
            kind: components["schemas"]["AuthorityKind"];
            userId?: string;
        };
        AutoStartEntry: {
            cwd?: string;
            /**
             * Format: int32
             * @description Null while it runs.
             */
            exitCode?: number | null;
            logFile?: string;
            name: string;
            output: string;
            workspacePath?: string;
        };
        AutoStartOutput: {
            entries: components["schemas"]["AutoStartEntry"][];
            /** Format: uuid */
            runId: string;
        };
        /** @description The agent's report of how a run ended. */
        AutomationCompletion: {
            citations: string[];
            completionId: string;
            diffRef?: string | null;
            outcome: components["schemas"]["AutomationOutcome"];
            sideEffectRefs: string[];
            summaryMarkdown?: string | null;
            testReportRef?: string | null;
        };
        /**
         * @description How a run ended, as its agent reports it.
         * @enum {string}
         */
        AutomationOutcome: "succeeded" | "failed" | "needs_human";
        /**
         * @description The status of a run.
         * @enum {string}
         */
        AutomationRunStatus: "running" | "succeeded" | "failed" | "needs_human" | "timed_out";
        /** @description One run of an automation. */
        AutomationRunView: {
            /** Format: uuid */
            automationId: string;
            /** Format: date-time */
            completedAt?: string | null;
            completion?: components["schemas"]["AutomationCompletion"] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy?: string | null;
            /**
             * Format: date-time
             * @description When it times out, while it runs.
             */
            deadlineAt?: string | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The session its agent works in.
             */
            sessionId: string;
            status: components["schemas"]["AutomationRunStatus"];
            /** @description Why it ended, where its agent did not report. */
            statusReason?: string | null;
        };
        /** @description A task that an agent works on without a user. */
        AutomationView: {
            agentInstructions: string;
            /** Format: date-time */
            createdAt: string;
            createdBy?: string | null;
            /**
             * Format: uuid
             * @description What its sessions start from; `null` is an empty workspace.
             */
            defaultConfigurationId?: string | null;
            description?: string | null;
            enabled: boolean;
            /** Format: uuid */
            id: string;
            modelId: string;
            name: string;
            organizationId: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description Connected services and their actions. */
        AvailableActions: {
            integrations: components["schemas"]["AvailableIntegration"][];
            /** @description Connected services that do not respond, and why. */
            unavailable?: components["schemas"]["UnavailableIntegration"][];
        };
        /** @description A connected service. */
        AvailableIntegration: {
            actions: components["schemas"]["ActionView"][];
            displayName: string;
            /**
             * @description The name to call it by: an adapter's name, or `connector:` and an id.
             * @example linear
             */
            integration: string;
            /**
             * Format: uuid
             * @description The connection; `null` for a connector.
             */
            integrationId?: string | null;
        };
        /** @description A logout token that was refused (OpenID Connect Back-Channel Logout 1.0, section 2.8). */
        BackchannelLogoutError: {
            /** @description `invalid_request`, or `temporarily_unavailable` for a token that may be sent again. */
            error: string;
            error_description: string;
        };
        /** @description A past call. */
        BacktestEntry: {
            action: string;
            /** @description Whether it would have run without an approval request. */
            allowed: boolean;
            /** Format: date-time */
            at: string;
            integration: string;
            /** Format: uuid */
            invocationId: string;
            /** @description Why, or why not. */
            reason: string;
        };
        /** @description Calls of the last 30 days, as if the grant had existed. */
        BacktestResponse: {
            /** @description How many would have run without an approval request. */
            allowed: number;
            /** @description Oldest first. */
            calls: components["schemas"]["BacktestEntry"][];
            /** @description Whether there were more calls than the limit. */
            truncated: boolean;
        };
        /**
         * @description In order. A migration to a fresh sandbox has the first three too, a boot does not.
         * @enum {string}
         */
        BootStage: "created" | "settle" | "quiesce" | "snapshot" | "sandbox" | "repo" | "files" | "agent" | "stream" | "ready";
        /** @description One step of a boot, or of a migration to a fresh sandbox. */
        BootStep: {
            /**
             * Format: int64
             * @description Absent while it is under way.
             */
            durationMs?: number;
            /** @description Why it failed, if it did. */
            error?: string;
            stage: components["schemas"]["BootStage"];
            /**
             * Format: int64
             * @description Milliseconds since 1970, when it started.
             */
            startedAt: number;
        };
        /**
         * @description The kind of a caller.
         * @enum {string}
         */
        CallerKind: "user" | "service" | "sandbox";
        /** @description A case with its members and meetings. */
        CaseDetail: components["schemas"]["CaseView"] & {
            /** @description Meetings with the client. */
            clientSessions: string[];
            /**
             * @description `user:ID`, `service:NAME` or `session:ID`, in the order they joined.
             * @example [
             *       "user:user_ada"
             *     ]
             */
            members: string[];
        };
        /** @description An artifact in a table of its case. */
        CaseRecordView: {
            artifactId: string;
            caseId: string;
            /** Format: date-time */
            createdAt: string;
            id: string;
            /** @description The key it is replaced by; absent for an appended record. */
            key?: string | null;
            /** @description The run that wrote it last. */
            runId: string;
            /** @example case_notes */
            table: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description A case. */
        CaseView: {
            /** Format: date-time */
            createdAt: string;
            /** @example CASE-2026-014 */
            id: string;
            organizationId: string;
            title?: string | null;
        };
        /** @description The id of the changed entity. */
        Changed: {
            /** Format: uuid */
            id: string;
        };
        /** @description A tool's definition when it was accepted, and now. */
        ChangedDefinition: {
            /** @description `null` if it was accepted before definitions were stored. */
            accepted?: unknown;
            now: unknown;
        };
        /** @description Asks which keys exist. */
        CheckSecretsRequest: {
            /**
             * @example [
             *       "DATABASE_URL",
             *       "STRIPE_KEY"
             *     ]
             */
            keys: string[];
            scope?: components["schemas"]["SecretScope"] | null;
        };
        /** @description The platform finds or creates the configuration for a folder on a user's machine. */
        CliConfiguration: {
            /** @example web-shop */
            displayName?: string | null;
            /** @description Identifies the folder without revealing its path. */
            localPathHash: string;
        };
        /** @description A meeting with the client. */
        ClientSessionView: {
            caseId: string;
            /** Format: date-time */
            createdAt: string;
            id: string;
        };
        /**
         * @description Which kind of client asked for the session. `browser` is understood as `web`.
         * @enum {string}
         */
        ClientType: "web" | "slack" | "cli" | "automation";
        /** @description A repository of a configuration and its folder below the workspace. */
        ConfigurationRepo: {
            /** Format: uuid */
            repoId: string;
            /** @example . */
            workspacePath: string;
        };
        /**
         * @description The progress of a configuration.
         * @enum {string}
         */
        ConfigurationStatus: "pending" | "building" | "default" | "ready" | "failed";
        /**
         * @description How it was created: by a user, by the platform for a set of repositories, or by a terminal
         *     for a folder.
         * @enum {string}
         */
        ConfigurationType: "manual" | "managed" | "cli";
        /** @description A configuration. */
        ConfigurationView: {
            /**
             * Format: int64
             * @description What each of its sessions may spend on its model, unless the session has a budget of its own; `null` uses the
             *     organization's budget.
             * @example 5000000
             */
            budgetMicroUsd: number | null;
            /** @description MCP servers. */
            connectors: components["schemas"]["ConnectorConfig"][];
            /** Format: date-time */
            createdAt: string;
            createdBy?: string | null;
            envFiles: components["schemas"]["EnvFile"][];
            /** @description Why it failed, if it did. */
            error?: string | null;
            /** Format: uuid */
            id: string;
            /** @description The folder a `cli` configuration stands for. */
            localPathHash?: string | null;
            name: string;
            notes?: string | null;
            organizationId: string;
            repos: components["schemas"]["ConfigurationRepo"][];
            serviceCommands: components["schemas"]["ServiceCommand"][];
            /** @description The snapshot its sessions boot from. */
            snapshotId?: string | null;
            status: components["schemas"]["ConfigurationStatus"];
            type: components["schemas"]["ConfigurationType"];
            /** Format: date-time */
            updatedAt: string;
            /** @description The user a `cli` configuration belongs to. */
            userId?: string | null;
        };
        /** @description Starts to connect a service through its authorization page. */
        ConnectIntegrationRequest: {
            /**
             * Format: int64
             * @description An installation of the operator's GitHub App, to act as the app and not as the user; for `github`
             *     alone.
             * @example 4711
             */
            installationId?: number;
            /**
             * @description The service to connect to: `linear`, `sentry`, `slack` or `github`.
             * @example linear
             */
            integrationId: string;
            /**
             * Format: uuid
             * @description The connection that gets new credentials; a new one is created if absent.
             */
            reconnect?: string;
        };
        /** @description The next step. */
        ConnectIntegrationResponse: {
            /**
             * @description To be opened within ten minutes, once, in the browser that sent this request: it got a cookie.
             * @example https://linear.app/oauth/authorize?response_type=code&client_id=...
             */
            authorizeUrl: string;
        };
        /** @description A connected client. */
        ConnectedClient: {
            connectionId: string;
            userId?: string;
        };
        /** @description How the gateway authenticates to a server. The secret is one of the organization's, by its key. */
        ConnectorAuth: {
            /** @enum {string} */
            type: "none";
        } | {
            /** @example DOCS_TOKEN */
            secretKey: string;
            /** @enum {string} */
            type: "bearer";
        } | {
            /** @example X-Api-Key */
            headerName: string;
            secretKey: string;
            /** @enum {string} */
            type: "custom_header";
        };
        /**
         * @description A connector as it is stored.
         * @example {
         *       "auth": {
         *         "secretKey": "DOCS_TOKEN",
         *         "type": "bearer"
         *       },
         *       "enabled": true,
         *       "id": "0192f0c1-2345-7abc-8def-0123456789ab",
         *       "name": "Docs",
         *       "transport": "remote_http",
         *       "trusted": false,
         *       "url": "https://mcp.example.com/mcp"
         *     }
         */
        ConnectorConfig: {
            auth?: components["schemas"]["ConnectorAuth"];
            enabled: boolean;
            /** Format: uuid */
            id: string;
            name: string;
            riskPolicy?: components["schemas"]["RiskPolicy"] | null;
            transport?: components["schemas"]["ConnectorTransport"];
            /** @description Whether the server's read-only hints are trusted. */
            trusted?: boolean;
            url: string;
        };
        /** @description The class of the failure. */
        ConnectorDiagnostics: {
            class: components["schemas"]["DiagnosticClass"];
            message: string;
        };
        /** @description All connectors of a configuration: the list that is sent replaces the stored one. */
        ConnectorList: {
            connectors: components["schemas"]["ConnectorConfig"][];
        };
        /** @description The settings of a server that are known in advance. */
        ConnectorPreset: {
            /** @description How a secret is sent, if the server requires one; its key is a suggestion. */
            auth: components["schemas"]["ConnectorAuth"];
            defaultRisk?: components["schemas"]["RiskLevel"] | null;
            /** @example Context7 */
            name: string;
            /** @example context7 */
            preset: string;
            /** @description `null` for servers that each organization hosts itself. */
            url?: string | null;
        };
        /** @description The available presets. */
        ConnectorPresetList: {
            presets: components["schemas"]["ConnectorPreset"][];
        };
        /**
         * @description How a tool's definition compares with the pinned one.
         * @enum {string}
         */
        ConnectorToolState: "new" | "unchanged" | "changed";
        /** @description A tool of a connector, as an action. */
        ConnectorToolView: {
            changed?: components["schemas"]["ChangedDefinition"] | null;
            /** @description The whole definition that `sha256` covers, where no admin has accepted one yet: to be reviewed first. */
            definition?: unknown;
            description: string;
            /** Format: date-time */
            firstSeenAt?: string | null;
            /**
             * @description The action's name.
             * @example search
             */
            name: string;
            params: components["schemas"]["ActionParam"][];
            /** @description The digest of the pinned definition. */
            pinnedSha256?: string | null;
            /** Format: date-time */
            reviewedAt?: string | null;
            /** @description The admin who accepted the pinned definition, if it is not the first that was seen. */
            reviewedBy?: string | null;
            riskLevel: components["schemas"]["RiskLevel"];
            riskSource: components["schemas"]["RiskSource"];
            /** @description The digest of the current definition. */
            sha256: string;
            state: components["schemas"]["ConnectorToolState"];
            /** @description The server's name for it; `overrides` of a risk policy use this name. */
            tool: string;
        };
        /**
         * @description How a server is reached.
         * @enum {string}
         */
        ConnectorTransport: "remote_http";
        /** @description A connector. */
        ConnectorView: {
            auth: components["schemas"]["ConnectorAuth"];
            /**
             * Format: uuid
             * @description The configuration it is for; `null` for the whole organization.
             */
            configurationId?: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy?: string | null;
            enabled: boolean;
            /** Format: uuid */
            id: string;
            /**
             * @description Its name in actions.
             * @example connector:0192f0c1-2345-7abc-8def-0123456789ab
             */
            integration: string;
            name: string;
            riskPolicy: components["schemas"]["RiskPolicy"];
            transport: components["schemas"]["ConnectorTransport"];
            trusted: boolean;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        /** @description Creates an API key for the caller. */
        CreateApiKeyRequest: {
            /**
             * Format: int64
             * @description How long it is valid; until it is revoked if absent.
             * @example 2592000
             */
            expiresInSeconds?: number | null;
            /** @example laptop */
            name: string;
        };
        /** @description A new API key. The key is shown here once and cannot be retrieved again. */
        CreateApiKeyResponse: {
            apiKey: components["schemas"]["ApiKeyView"];
            /** @description The key itself, `pk_` and 64 hexadecimal digits: keep it, it is not shown again. */
            key: components["schemas"]["SecretText"];
        };
        /** @description Adds an automation. */
        CreateAutomationRequest: {
            /**
             * @description The first instructions of the agent.
             * @example Look at yesterday's errors.
             */
            agentInstructions: string;
            /**
             * Format: uuid
             * @description An existing configuration; an empty workspace if absent.
             */
            defaultConfigurationId?: string | null;
            description?: string | null;
            /** @description `true` if absent. */
            enabled?: boolean | null;
            /**
             * @description Any spelling of a known model; `GET /v1/models` lists them.
             * @example claude-opus-4.6
             */
            modelId?: string | null;
            /** @example Nightly triage */
            name: string;
        };
        /** @description Opens a case; the caller is its first member. */
        CreateCaseRequest: {
            /**
             * @description 4 to 120 letters, digits, `_`, `-`; generated if absent.
             * @example CASE-2026-014
             */
            id?: string | null;
            title?: string | null;
        };
        /** @description Adds a meeting with the client to a case. */
        CreateClientSessionRequest: {
            /** @description 4 to 120 letters, digits, `_`, `-`, unique within the case; generated if absent. */
            id?: string | null;
        };
        /** @description Creates a configuration. */
        CreateConfigurationRequest: {
            /**
             * Format: int64
             * @description What each of its sessions may spend on its model, in millionths of a dollar. For admins.
             * @example 5000000
             */
            budgetMicroUsd?: number | null;
            /** @description MCP servers. For admins. */
            connectors?: components["schemas"]["ConnectorConfig"][];
            envFiles?: components["schemas"]["EnvFile"][];
            /** @example Web shop */
            name: string;
            notes?: string | null;
            /** @description Repositories to clone. */
            repoIds?: string[];
            serviceCommands?: components["schemas"]["ServiceCommand"][];
            snapshotId?: string | null;
        };
        /** @description Adds a connector. */
        CreateConnectorRequest: {
            auth?: components["schemas"]["ConnectorAuth"];
            /**
             * Format: uuid
             * @description The configuration it is for; the whole organization if absent.
             */
            configurationId?: string | null;
            /** @description `true` if absent. */
            enabled?: boolean;
            /**
             * Format: uuid
             * @description Generated if absent. Sending the same connector with the same id again adds no second one.
             */
            id?: string | null;
            /** @example Docs */
            name: string;
            riskPolicy?: components["schemas"]["RiskPolicy"] | null;
            transport?: components["schemas"]["ConnectorTransport"];
            trusted?: boolean;
            /** @example https://mcp.example.com/mcp */
            url: string;
        };
        /**
         * @description Creates a grant, or asks what it would have allowed.
         * @example {
         *       "action": "add_comment",
         *       "integration": "linear",
         *       "maxCalls": 20,
         *       "scope": "org"
         *     }
         */
        CreateGrantRequest: {
            /** @description A name or `*`. */
            action: string;
            /**
             * Format: date-time
             * @description Does not expire if absent or `null`.
             */
            expiresAt?: string | null;
            /** @description A name or `*`. */
            integration: string;
            /**
             * Format: int64
             * @description No limit if absent or `null`.
             */
            maxCalls?: number | null;
            /** @description All of them must hold. */
            predicates?: components["schemas"]["Predicate"][];
            scope: components["schemas"]["GrantScope"];
            /**
             * Format: uuid
             * @description With the scope `session`, and only then.
             */
            sessionId?: string | null;
        };
        /** @description Connects a service by a token, or GitHub by the organization's own app. */
        CreateIntegrationRequest: {
            /**
             * @description The service's name if absent.
             * @example Linear (product team)
             */
            displayName?: string | null;
            /** @description An installation of a GitHub App instead of a token; for `github` alone. */
            githubApp?: components["schemas"]["GithubAppRequest"];
            /**
             * @description The service to connect to.
             * @example linear
             */
            integrationId: string;
            /** @description The scopes of the token, as a note for users. */
            scopes?: string[];
            /** @description The service's API token. Kept sealed and never returned. Required unless there is a `githubApp`. */
            token?: components["schemas"]["SecretText"];
        };
        /** @description Invites a person. */
        CreateInvitationRequest: {
            /**
             * @description The address that it is for. It is mailed there if a mail server is configured.
             * @example ada@acme.example
             */
            email?: string;
            /**
             * Format: int64
             * @description How long it may be accepted: from an hour to 30 days, 7 days if absent.
             */
            expiresInSeconds?: number;
            /** @description The role of the new member. Only an owner invites an owner. */
            role: components["schemas"]["Role"];
        };
        /** @description A new invitation. The link is shown here once and cannot be retrieved again. */
        CreateInvitationResponse: {
            invitation: components["schemas"]["InvitationView"];
            /** @description The link to hand to the person: keep it, it is not shown again. The mail has another one. */
            link: components["schemas"]["SecretText"];
        };
        /** @description A new organization and its owner. */
        CreateOrganizationRequest: {
            organizationName: string;
            /** @description The mail address of the owner. */
            ownerEmail: string;
            ownerName: string;
        };
        /** @description Adds a repository. */
        CreateRepoRequest: {
            /**
             * @description `main` if absent.
             * @default main
             */
            defaultBranch: string | null;
            /** @example acme/web */
            name: string;
            push?: components["schemas"]["RepoPush"] | null;
            serviceCommands?: components["schemas"]["ServiceCommand"][];
            source?: components["schemas"]["RepoSource"] | null;
            /**
             * @description Where git clones it from, without credentials. Required unless `source` is `local`.
             * @example https://github.com/acme/web.git
             */
            url?: string | null;
        };
        /** @description A run to create. */
        CreateRunRequest: {
            /** @example CASE-2026-014 */
            case_id?: string | null;
            correlation_id?: string | null;
            /**
             * Format: uuid
             * @description For `tool_gateway` only.
             */
            parent_run_id?: string | null;
            /**
             * @description `agent` or `orchestrator` opens a run that calls can belong to; `tool_gateway` creates the run of
             *     one call in advance.
             * @example agent
             */
            run_kind: string;
            /** Format: uuid */
            session_id?: string | null;
        };
        /** @description Stores a secret. */
        CreateSecretRequest: {
            description?: string | null;
            /**
             * @description Name of the environment variable: letters, digits and `_`. Names that the platform sets
             *     itself are refused.
             * @example DATABASE_URL
             */
            key: string;
            scope?: components["schemas"]["SecretScope"] | null;
            /** @description At most 64 KiB. Never returned. */
            value: components["schemas"]["SecretText"];
        };
        /**
         * @description Creates a session. Everything is optional: an empty object makes a scratch session.
         *
         *     At most one of `configurationId`, `managedConfiguration` and `cliConfiguration` may be given.
         * @example {
         *       "initialPrompt": "The login page is blank.",
         *       "title": "Fix the login page"
         *     }
         */
        CreateSessionRequest: {
            agentConfig?: components["schemas"]["AgentConfigRequest"] | null;
            cliConfiguration?: components["schemas"]["CliConfiguration"] | null;
            /** @description Arbitrary data of the client, at most 16 KiB. */
            clientMetadata?: Record<string, never> | null;
            clientType?: components["schemas"]["ClientType"] | null;
            /**
             * Format: uuid
             * @description An existing configuration.
             */
            configurationId?: string | null;
            /** @description Environment of this session only, at most 100 variables. */
            envVars?: components["schemas"]["EnvVars"];
            /** @description Sent to the agent as soon as it is ready. */
            initialPrompt?: string | null;
            /** @description Connections the session may use. One whose token does not work is left out with a warning. */
            integrationIds?: string[];
            managedConfiguration?: components["schemas"]["ManagedConfiguration"] | null;
            /**
             * @description Short for `agentConfig.modelId`.
             * @example claude-opus-4.6
             */
            modelId?: string | null;
            /** @description The caller's organization; it can be left out, and any other is refused. */
            organizationId?: string | null;
            /** @description Members who are named for it: to steer it, or to see one for `people`. */
            people?: components["schemas"]["NamedMemberRequest"][];
            provisioning?: components["schemas"]["Provisioning"] | null;
            sessionType?: components["schemas"]["SessionType"] | null;
            /** @description Boots from this snapshot instead of the configuration's. */
            snapshotId?: string | null;
            sshOptions?: components["schemas"]["SshOptions"] | null;
            /** @description Replaces the instructions of the session's type. */
            systemPrompt?: string | null;
            title?: string | null;
            visibility?: components["schemas"]["Visibility"] | null;
        };
        /** @description The session that was created, or that an earlier identical request had created. */
        CreateSessionResponse: {
            /** @description Whether a request with the same `Idempotency-Key` had created it before. */
            alreadyExisted: boolean;
            /**
             * Format: uuid
             * @description Absent for a scratch session.
             */
            configurationId?: string;
            /**
             * @description Where clients of this session connect to.
             * @example http://127.0.0.1:7717
             */
            gatewayUrl: string;
            /** @description Whether it boots from a snapshot. */
            hasSnapshot: boolean;
            /** @description Connections that were requested and left out. */
            integrationWarnings?: components["schemas"]["IntegrationWarning"][];
            /** @description Whether the configuration was created for this session. */
            isNewConfiguration: boolean;
            /** @description Why the sandbox could not be created at once; the session exists all the same. */
            provisioningError?: components["schemas"]["ProvisioningError"];
            /** Format: uuid */
            sessionId: string;
            status: components["schemas"]["SessionStatus"];
        };
        /** @description Makes a share link. */
        CreateShareLinkRequest: {
            /**
             * Format: int32
             * @description How long it works; a week if absent.
             */
            expiresInHours?: number | null;
        };
        /** @description Adds a webhook. */
        CreateWebhookRequest: {
            /** @description All of them if absent. */
            events?: components["schemas"]["WebhookEvent"][] | null;
            /** @example https://hooks.example.com/proliferate */
            url: string;
        };
        /** @description A new webhook. The secret is shown here once and cannot be retrieved again. */
        CreateWebhookResponse: {
            /** @description The key that deliveries are signed with. */
            secret: components["schemas"]["SecretText"];
            webhook: components["schemas"]["WebhookView"];
        };
        /** @description A new organization, and how its owner comes in. */
        CreatedOrganization: {
            /** @description A link that logs the owner in, once and within an hour. Shown only now. */
            loginLink: components["schemas"]["SecretText"];
            organization: components["schemas"]["OrganizationView"];
            ownerId: string;
        };
        /** @description A new share link. */
        CreatedShareLink: {
            link: components["schemas"]["ShareLinkView"];
            /** @description The address to give away. It is shown only now. */
            url: components["schemas"]["SecretText"];
        };
        /** @description The decision of a member. */
        DecideDeviceLoginRequest: {
            /** @description The code that the terminal shows. */
            code: components["schemas"]["SecretText"];
            decision: components["schemas"]["DeviceLoginDecision"];
        };
        /** @description The deletion of the organization. */
        DeleteOrganizationRequest: {
            /** @description The name of the organization, exactly as it is shown. */
            confirm: string;
        };
        /**
         * @description The status of a delivery.
         * @enum {string}
         */
        DeliveryStatus: "requested" | "retried" | "accepted" | "failed";
        /** @description Whether an invocation was denied, and why not. */
        DeniedView: {
            /** @description The code of the problem if it was not: `NOT_FOUND`, `CONFLICT`, `EXPIRED`. */
            code?: string | null;
            denied: boolean;
            /** Format: uuid */
            id: string;
            message?: string | null;
        };
        /** @description Denies many pending invocations. */
        DenyManyRequest: {
            /**
             * @description `callSha256` of those that the approver saw, by id. One whose digest is not that of the pending call is not
             *     denied.
             */
            callSha256?: {
                [key: string]: string;
            };
            ids: string[];
            /** @description Sent to the agents. */
            reason?: string | null;
        };
        /** @description The result for each. */
        DenyManyResponse: {
            /** @description In the order of the request. */
            items: components["schemas"]["DeniedView"][];
        };
        /** @description Denies a pending invocation. */
        DenyRequest: {
            /**
             * @description `callSha256` of the call that the approver saw. If it is not the digest of the pending call, the response is
             *     409.
             */
            callSha256?: string | null;
            /** @description Sent to the agent. */
            reason?: string | null;
        };
        /**
         * @description What a member decides about a terminal.
         * @enum {string}
         */
        DeviceLoginDecision: "approve" | "deny";
        /** @description A login that waits for a member. */
        DeviceLoginStarted: {
            /** @description Fetches the key once a member approved. Only the terminal has it. */
            deviceCode: components["schemas"]["SecretText"];
            /**
             * Format: int64
             * @example 600
             */
            expiresInSeconds: number;
            /**
             * Format: int64
             * @description The shortest time between two requests for the key.
             * @example 5
             */
            intervalSeconds: number;
            /**
             * @description What the member compares: eight letters.
             * @example BCDF-GHJK
             */
            userCode: string;
            /**
             * @description The page on which to compare it.
             * @example https://agents.example.com/device?code=BCDF-GHJK
             */
            verificationUrl: string;
        };
        /** @description A login of a terminal, as the member reads it who is to decide. */
        DeviceLoginView: {
            /**
             * @description The address that its request came from, as the gateway saw it.
             * @example 203.0.113.7
             */
            client: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description How long the API key is good that approving makes.
             * @example 7776000
             */
            keyExpiresInSeconds: number;
            /** @description What the terminal says its machine is called. Not verified. */
            machine: string;
        };
        /** @description A terminal asks whether it was approved. */
        DeviceTokenRequest: {
            deviceCode: components["schemas"]["SecretText"];
        };
        /** @description The answer to a terminal. */
        DeviceTokenResponse: {
            /** @description The key's record, if it was approved. */
            apiKey?: components["schemas"]["ApiKeyView"];
            /** @description The key itself: keep it, it is not shown again. */
            key?: components["schemas"]["SecretText"];
            status: components["schemas"]["DeviceTokenStatus"];
        };
        /**
         * @description What a terminal learns.
         * @enum {string}
         */
        DeviceTokenStatus: "pending" | "slow_down" | "denied" | "expired" | "approved";
        /**
         * @description The kinds of failure of a server.
         * @enum {string}
         */
        DiagnosticClass: "auth" | "timeout" | "unreachable" | "protocol" | "unknown";
        /** @description An instance that accepts no new sessions and hands its own over. */
        DrainView: {
            /**
             * Format: int32
             * @description Sessions handed off to other instances since.
             */
            handedOver: number;
            /**
             * Format: int32
             * @description Sessions that are still on it.
             */
            left: number;
            /**
             * Format: int32
             * @description Sessions that were saved and paused, because no instance could take them over.
             */
            putAway: number;
            /** Format: date-time */
            since: string;
        };
        /** @description How a run that was opened ends. */
        EndRunRequest: {
            status: components["schemas"]["RunEndStatus"];
        };
        /** @description An engaged lock. */
        EngagedLock: {
            /** Format: date-time */
            engagedAt: string;
            engagedBy: string;
            /** Format: uuid */
            id: string;
            reason: string;
        };
        /** @description A file of environment variables that is written into the workspace. */
        EnvFile: {
            format?: components["schemas"]["EnvFileFormat"];
            keys: components["schemas"]["EnvFileKey"][];
            mode?: components["schemas"]["EnvFileMode"];
            /**
             * @description Path of the file, below that folder.
             * @example apps/web/.env
             */
            path: string;
            /**
             * @description Folder of the repository, below the workspace.
             * @default .
             */
            workspacePath: string;
        };
        /**
         * @description How the file is written.
         * @enum {string}
         */
        EnvFileFormat: "dotenv";
        /** @description One key of an env file. */
        EnvFileKey: {
            /** @example DATABASE_URL */
            key: string;
            /** @description Whether the file may not be written without it. */
            required: boolean;
        };
        /**
         * @description How its values are treated.
         * @enum {string}
         */
        EnvFileMode: "secret";
        /** @description A form to fill in, by the call that requested it. */
        EnvRequest: {
            /** @description The agent's arguments: keys, descriptions, suggestions. */
            args: Record<string, never>;
            toolCallId: string;
        };
        /**
         * @description Environment variables by name. Values are confidential and never returned.
         * @example {
         *       "NODE_ENV": "development"
         *     }
         */
        EnvVars: {
            [key: string]: string;
        };
        /** @description Git blob ids of the policy's files. */
        ExpectedPolicyVersions: {
            lanes: string;
            roles: string;
        };
        /**
         * @description The authorization of a call. Conditions are evaluated on the stored parameters, which are
         *     redacted.
         */
        ExplainResponse: {
            /** @description The verdict of each matching grant now, newest first. */
            grants: components["schemas"]["GrantVerdictView"][];
            invocation: components["schemas"]["InvocationView"];
            /** Format: uuid */
            invocationId: string;
            /**
             * Format: uuid
             * @description The grant it ran under; `null` if it ran under none.
             */
            usedGrantId?: string | null;
        };
        /** @description A failed check, and its explanation. */
        FailedCheckView: {
            meaning: string;
            rule: string;
        };
        /** @description One invalid member of a request, and why. */
        FieldError: {
            /**
             * @description Path of the member.
             * @example envFiles[0].path
             */
            field: string;
            /** @example must be a relative path */
            message: string;
        };
        /** @description All live instances. */
        FleetView: {
            /**
             * Format: int32
             * @description Live sessions of all of them.
             */
            hubs: number;
            /** @description Oldest first. */
            instances: components["schemas"]["InstanceView"][];
            /** @description The queue of durable jobs, of all organizations. */
            jobs: components["schemas"]["JobCounts"];
        };
        /** @description A frame for a client. */
        Frame: components["schemas"]["ServerMessage"] & {
            /**
             * Format: int64
             * @description The event's position in the session's log. Resume after the last one seen. Absent on messages for
             *     one client only, such as `init` and `pong`.
             */
            seq?: number;
        };
        /** @description Both ends are missing events. */
        Gap: {
            /** Format: int64 */
            from: number;
            /** Format: int64 */
            to: number;
        };
        /** @enum {string} */
        GitAction: "create_branch" | "commit" | "push" | "create_pr";
        /** @enum {string} */
        GitCode: "SUCCESS" | "NOTHING_TO_COMMIT" | "NO_REMOTE" | "NOT_A_REPO" | "SHALLOW_PUSH_FAILED" | "AUTH_FAILED" | "GH_NOT_AVAILABLE" | "NOT_GITHUB_REMOTE" | "BRANCH_EXISTS" | "MERGE_CONFLICT" | "REPO_BUSY" | "MULTIPLE_REMOTES" | "AWAITING_APPROVAL" | "UNKNOWN_ERROR";
        GitCommitView: {
            author: string;
            /** @description In git's format, ISO 8601. */
            date: string;
            message: string;
            sha: string;
        };
        /** @description The changes since the last commit. */
        GitDiff: {
            /** @description Whether it includes a binary file, whose lines cannot be shown. */
            binary: boolean;
            /** @description In git's format. */
            diff: string;
            /** @description Whether the diff is incomplete. */
            truncated: boolean;
        };
        /** @description The result of a change. */
        GitResult: {
            action: components["schemas"]["GitAction"];
            code: components["schemas"]["GitCode"];
            message: string;
            prUrl?: string;
            success: boolean;
        };
        /** @description The state of a working tree, as git reports it. */
        GitState: {
            /**
             * Format: int32
             * @description Null without an upstream.
             */
            ahead?: number | null;
            /** Format: int32 */
            behind?: number | null;
            /** @description The commit where the head is detached. */
            branch: string;
            /** @description Newest first. */
            commits: components["schemas"]["GitCommitView"][];
            conflictedFiles: string[];
            detached: boolean;
            isBusy: boolean;
            isShallow: boolean;
            mergeInProgress: boolean;
            rebaseInProgress: boolean;
            stagedChanges: string[];
            unstagedChanges: string[];
            untrackedFiles: string[];
        };
        /** @description An installation of a GitHub App that is the organization's own. */
        GithubAppRequest: {
            /**
             * @description The app's id, or its client id.
             * @example 123456
             */
            appId: string;
            /**
             * Format: int64
             * @example 4711
             */
            installationId: number;
            /** @description The app's private key in PEM. Kept sealed and never returned. */
            privateKey: components["schemas"]["SecretText"];
        };
        /** @description Grants of a session, newest first, in pages. */
        GrantList: {
            grants: components["schemas"]["GrantView"][];
            /** @description Pass it as `cursor` to get the next page; absent on the last one. */
            nextCursor?: string;
        };
        /** @description An agent requested a grant, or its request was decided. */
        GrantRequestChanged: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            sessionId: string;
            status: components["schemas"]["GrantRequestStatus"];
        };
        /** @description The response to an agent's request. */
        GrantRequestResponse: {
            grantRequest: components["schemas"]["GrantRequestView"];
            /** @example An admin has to decide */
            message: string;
        };
        /**
         * @description The status of a grant request.
         * @enum {string}
         */
        GrantRequestStatus: "pending" | "granted" | "refused" | "expired";
        /** @description A request for a grant. */
        GrantRequestView: {
            action: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            decidedAt?: string | null;
            decidedBy?: string | null;
            /** Format: date-time */
            expiresAt?: string | null;
            /**
             * Format: uuid
             * @description The grant, once it was granted.
             */
            grantId?: string | null;
            /** Format: uuid */
            id: string;
            integration: string;
            /** Format: int32 */
            maxCalls?: number | null;
            reason?: string | null;
            scope: components["schemas"]["GrantScope"];
            /**
             * Format: uuid
             * @description The session whose agent asks.
             */
            sessionId: string;
            status: components["schemas"]["GrantRequestStatus"];
        };
        /**
         * @description The scope of a grant: the calls of one session, or of the organization.
         * @enum {string}
         */
        GrantScope: "session" | "org";
        /** @description The grant that is created with an approval: for exactly the approved action. */
        GrantTerms: {
            /**
             * Format: int64
             * @description No limit if absent or `null`.
             */
            maxCalls?: number | null;
            scope?: components["schemas"]["GrantScope"] | null;
        };
        /** @description The verdict of a grant on a call. */
        GrantVerdictView: {
            applies: boolean;
            createdBy: string;
            /** Format: uuid */
            grantId: string;
            /** @example it covers this call, with 3 calls left */
            reason: string;
        };
        /** @description A grant. */
        GrantView: {
            /**
             * @description A name or `*`.
             * @example create_issue
             */
            action: string;
            /**
             * Format: int32
             * @description How many are left; `null` for no limit.
             */
            callsLeft?: number | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The admin who created it. */
            createdBy: string;
            /** @description The digest of the definition that it was created for, where it names one action. */
            definitionSha256?: string | null;
            /**
             * Format: date-time
             * @description `null` for a grant that does not expire.
             */
            expiresAt?: string | null;
            /** Format: uuid */
            id: string;
            /**
             * @description A name or `*`.
             * @example linear
             */
            integration: string;
            /** Format: date-time */
            lastUsedAt?: string | null;
            /**
             * Format: int32
             * @description `null` for no limit.
             */
            maxCalls?: number | null;
            organizationId: string;
            predicates: components["schemas"]["Predicate"][];
            /** Format: date-time */
            revokedAt?: string | null;
            scope: components["schemas"]["GrantScope"];
            /**
             * Format: uuid
             * @description The session it is for; `null` for the whole organization.
             */
            sessionId?: string | null;
            /**
             * @description Actions that it names and does not cover any more, because their definitions have changed since it was created.
             *     Their calls wait for an approval.
             */
            suspended?: components["schemas"]["SuspendedActionView"][];
            /** @description Whether there are more than listed. */
            suspendedTruncated?: boolean;
            /** Format: int32 */
            usedCalls: number;
        };
        /** @description How to use a service. */
        GuideResponse: {
            /** @description Markdown. */
            guide: string;
            /** @example linear */
            integration: string;
        };
        /**
         * @description What was hashed: always the bytes as they are stored.
         * @enum {string}
         */
        HashSource: "bytes";
        /** @description The process is alive; its dependencies were not checked. */
        Health: {
            status: components["schemas"]["HealthStatus"];
        };
        /**
         * @description Always `ok`: a process that is not alive does not respond.
         * @enum {string}
         */
        HealthStatus: "ok";
        /** @description The live sessions of an instance. */
        HubCounts: {
            /**
             * Format: int32
             * @description With an agent that is booting.
             */
            booting: number;
            /**
             * Format: int32
             * @description Connected clients.
             */
            clients: number;
            /**
             * Format: int32
             * @description Open, without an agent.
             */
            cold: number;
            /**
             * Format: int32
             * @description Leases that it holds: one for each of its sessions.
             */
            leases: number;
            /**
             * Format: int32
             * @description Being closed.
             */
            leaving: number;
            /**
             * Format: int32
             * @description The maximum for the instance.
             */
            max: number;
            /** Format: int32 */
            running: number;
            /**
             * Format: int32
             * @description Those among all of them whose lease cannot be confirmed, because coordination does not
             *     respond.
             */
            unconfirmed: number;
        };
        /** @description Stores every variable of a .env text. */
        ImportSecretsRequest: {
            /** @description What to do with a key that exists in the scope; `skip` if absent. */
            onExisting?: components["schemas"]["OnExisting"];
            scope?: components["schemas"]["SecretScope"] | null;
            /**
             * @description The text: `KEY=value` lines, `export`, comments and quotes as usual. At most 512 KiB and 500
             *     variables. Never returned.
             */
            text: components["schemas"]["SecretText"];
        };
        /** @description The result of an import, by key. */
        ImportSecretsResponse: {
            created: string[];
            /** @description Existing keys that were kept. */
            skipped: string[];
            updated: string[];
        };
        /** @description An invocation and its session. */
        InboxEntry: components["schemas"]["InvocationView"] & {
            sessionTitle?: string | null;
        };
        /** @description The inbox of an organization, newest first. */
        InboxResponse: {
            invocations: components["schemas"]["InboxEntry"][];
            /**
             * Format: int64
             * @description How many there are, regardless of the page.
             */
            total: number;
        };
        /** @description The current state of the session. */
        Init: {
            /** @description Connected clients, this one included; of very many, the first. */
            clients?: components["schemas"]["ConnectedClient"][];
            config?: components["schemas"]["LiveConfig"];
            /** @description Forms that the agent asked users to fill in. */
            envRequests?: components["schemas"]["EnvRequest"][];
            /** @description Oldest first. */
            messages: components["schemas"]["LiveMessage"][];
            /** @description Approval requests that are pending. */
            pendingApprovals?: components["schemas"]["ActionApprovalRequest"][];
            /**
             * Format: int64
             * @description The last event that is in `messages`; further events have higher numbers.
             */
            seq: number;
            status: components["schemas"]["LiveStatus"];
            /** @description The steps of the sandbox's boot, or of the session's migration to it. */
            timeline?: components["schemas"]["BootStep"][];
        };
        /**
         * @description A stored input. The whole `artifact_ref` of an upload or a call may be sent back; only id, kind and
         *     hash are used.
         */
        InputArtifact: {
            artifact_id: string;
            artifact_kind: string;
            byte_size?: unknown;
            case_id?: unknown;
            confidentiality?: unknown;
            content_type?: unknown;
            created_at_utc?: unknown;
            hash_sha256: string;
            hash_source?: unknown;
            lineage?: unknown;
            scope?: unknown;
            session_id?: unknown;
            storage_locator?: unknown;
        };
        /** @description The code of an invitation's link. */
        InspectInvitationRequest: {
            code: components["schemas"]["SecretText"];
        };
        /** @description A setup link that is looked at before it is used. */
        InspectSetupRequest: {
            /** @description The code of the link. */
            code: components["schemas"]["SecretText"];
        };
        /**
         * @description What a check found.
         * @enum {string}
         */
        InstallationCheckState: "ok" | "warning" | "failed";
        /** @description One check of the installation. */
        InstallationCheckView: {
            /** @description What was looked at, such as `database`. Several checks can be of one thing. */
            name: string;
            /** @description What to do; absent where there is nothing to do. */
            remedy?: string;
            sentence: string;
            state: components["schemas"]["InstallationCheckState"];
        };
        /** @description The checks of the installation, as the instance that answers sees it. */
        InstallationChecksResponse: {
            checks: components["schemas"]["InstallationCheckView"][];
            /** @description Whether no check failed. */
            ok: boolean;
        };
        /**
         * @description The role of a process.
         * @enum {string}
         */
        InstanceRole: "gateway" | "worker" | "all";
        /** @description An instance, as it last described itself. */
        InstanceView: {
            drain?: components["schemas"]["DrainView"] | null;
            /** Format: date-time */
            heartbeatAt: string;
            hubs: components["schemas"]["HubCounts"];
            /** Format: uuid */
            id: string;
            /** @description Whether it is the one that responds. */
            isThis: boolean;
            role: components["schemas"]["InstanceRole"];
            /** Format: date-time */
            startedAt: string;
            swept: components["schemas"]["SweptView"];
            /**
             * @description The URL at which other instances reach it.
             * @example http://10.0.0.2:7777
             */
            url: string;
            version: string;
        };
        /**
         * @description How the credentials are kept and renewed.
         * @enum {string}
         */
        IntegrationProvider: "static" | "oauth2" | "github-app";
        /**
         * @description Whether the connection can be used.
         * @enum {string}
         */
        IntegrationStatus: "active" | "expired" | "revoked" | "suspended";
        /**
         * @description The statuses a user can set; the others are determined by using the connection.
         * @enum {string}
         */
        IntegrationStatusChange: "active" | "suspended";
        /** @description A connection without its credentials. */
        IntegrationView: {
            /** Format: date-time */
            createdAt: string;
            createdBy?: string | null;
            displayName: string;
            /** Format: uuid */
            id: string;
            /**
             * @description The service it connects to.
             * @example linear
             */
            integrationId: string;
            organizationId: string;
            provider: components["schemas"]["IntegrationProvider"];
            scopes: string[];
            status: components["schemas"]["IntegrationStatus"];
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description A connection that was left out because its token does not work. */
        IntegrationWarning: {
            /** Format: uuid */
            integrationId: string;
            message: string;
        };
        /** @description Why it failed. */
        InternalToolFailure: {
            /**
             * @description A word for programs.
             * @example tool_error
             */
            error: string;
            message: string;
        };
        /** @description A call of a tool, with the session in the body. */
        InternalToolRequest: {
            /** @description The arguments of the tool. */
            params?: Record<string, never>;
            /** Format: uuid */
            session_id: string;
            /** @description The model's id of the call; the same for every retry. */
            tool_call_id: string;
        };
        /** @description The result of a call with the session in the body. */
        InternalToolResponse: {
            result: Record<string, never>;
        };
        /** @description What an invitation offers. */
        InvitationOffer: {
            /** @description The address that it is for. */
            email?: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description Whether the link was mailed to that address: then it also signs in an existing user with the address. */
            isMailed: boolean;
            organizationName: string;
            role: components["schemas"]["Role"];
        };
        /**
         * @description What has become of an invitation.
         * @enum {string}
         */
        InvitationStatus: "pending" | "expired" | "accepted" | "revoked";
        /** @description An invitation to become a member. */
        InvitationView: {
            /** Format: date-time */
            createdAt: string;
            /** @description The user who created it. */
            createdBy: string;
            /** @description The address that it is for. Without one, each holder of the link may accept it. */
            email?: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            /** @description The delivery of its mail. Absent if none is sent: it has no address, or no mail server is configured. */
            mail?: components["schemas"]["MailView"];
            /** @description The role of the new member. */
            role: components["schemas"]["Role"];
            status: components["schemas"]["InvitationStatus"];
        };
        /** @description Invocations of a session, newest first. */
        InvocationList: {
            invocations: components["schemas"]["InvocationView"][];
        };
        /** @description One invocation. */
        InvocationResponse: {
            invocation: components["schemas"]["InvocationView"];
        };
        /** @description One request to run an action. */
        InvocationView: {
            /** @example create_issue */
            action: string;
            /** Format: date-time */
            approvedAt?: string | null;
            /** @description The user who approved or denied it. */
            approvedBy?: string | null;
            authority?: components["schemas"]["AuthorityView"] | null;
            /**
             * @description The digest of the call as it would run, with the tool's definition and the policy of the request: a call that is
             *     requested again has another. An approval sends it, and covers nothing else.
             */
            callSha256: string;
            /** Format: date-time */
            completedAt?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            durationMs?: number | null;
            error?: string | null;
            /**
             * Format: date-time
             * @description Until when it can be decided, or an approval be used.
             */
            expiresAt?: string | null;
            /** Format: uuid */
            id: string;
            /** @example linear */
            integration: string;
            /**
             * Format: uuid
             * @description The connection whose credentials are used; `null` for a connector.
             */
            integrationId?: string | null;
            organizationId: string;
            /** @description Whether the effect of a failed call in the outside service is unknown. */
            outcomeUnknown: boolean;
            /** @description Without secrets, at most 10 KB. */
            params?: Record<string, never> | null;
            /**
             * @description Whether `params` is all of the call: nothing was redacted and nothing was truncated. An admin opens any other
             *     call before deciding it.
             */
            paramsComplete: boolean;
            /** @description Without secrets, at most 10 KB; the whole is `resultArtifactId`. */
            result?: Record<string, never> | null;
            /** Format: uuid */
            resultArtifactId?: string | null;
            /**
             * @description Why it has to be approved once more, if it has.
             * @example [
             *       "tool_definition_changed"
             *     ]
             */
            returnedBecause?: string[];
            riskLevel: components["schemas"]["RiskLevel"];
            /**
             * Format: uuid
             * @description The run of this call, under which the audit log has it.
             */
            runId: string;
            /** Format: uuid */
            sessionId: string;
            status: components["schemas"]["ActionStatus"];
            /**
             * @description The grant that would have authorized the call if the action were still defined as it was when the grant was
             *     created; absent if there is none.
             */
            suspendedGrant?: components["schemas"]["SuspendedGrantView"];
        };
        /**
         * @description Requests an action.
         * @example {
         *       "action": "create_issue",
         *       "integration": "linear",
         *       "params": {
         *         "teamId": "ENG",
         *         "title": "Login page is blank"
         *       }
         *     }
         */
        InvokeRequest: {
            action: string;
            integration: string;
            /** @description None if absent. */
            params?: Record<string, never>;
        };
        /**
         * @description The result of the request: 200 with `result`, 202 with `message` while it waits for an approval,
         *     403 with `error`, 502 with `error` if the outside service failed.
         */
        InvokeResponse: {
            error?: string;
            invocation: components["schemas"]["InvocationView"];
            /** @example Action requires approval */
            message?: string;
            /** @description The whole result, also where it is `null`. */
            result?: Record<string, never> | null;
        };
        /** @description The size of the queue, of all organizations. */
        JobCounts: {
            /**
             * Format: int64
             * @description Of them, those that are due.
             */
            due: number;
            /**
             * Format: int64
             * @description Failed, as long as they are kept.
             */
            failed: number;
            /** Format: int64 */
            running: number;
            /**
             * Format: int64
             * @description To run now or later.
             */
            waiting: number;
        };
        /**
         * @description What a job does.
         * @enum {string}
         */
        JobKind: "session_expiry" | "sandbox_remove" | "session_go_on";
        /**
         * @description The status of a job.
         * @enum {string}
         */
        JobState: "waiting" | "running" | "done" | "failed";
        /** @description A job. */
        JobView: {
            /**
             * Format: int32
             * @description Attempts since it was last enqueued or postponed.
             */
            attempts: number;
            /**
             * Format: uuid
             * @description The instance that runs it.
             */
            claimedBy?: string | null;
            /**
             * Format: date-time
             * @description Until when the instance's claim lasts without renewal.
             */
            claimedUntil?: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it finished or failed.
             */
            endedAt?: string | null;
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["JobKind"];
            /** @description Why the last attempt failed, or why it was postponed. */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it is due, while it waits.
             */
            runAt?: string | null;
            /**
             * Format: uuid
             * @description The session it belongs to.
             */
            sessionId: string;
            state: components["schemas"]["JobState"];
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description A lane: who may call which tools in it. */
        LaneView: {
            /**
             * Format: int64
             * @description How long an approver has; `null` for the default.
             */
            approvalSeconds?: number | null;
            /**
             * Format: int64
             * @description The longest that an organization may choose instead.
             */
            approvalSecondsMax: number;
            id: string;
            prohibits: string[];
            purpose: string;
            /** @description Scope values that a call must have. */
            requires: string[];
            roles: string[];
            tools: string[];
            /** @description Tables that may be written, each with the mode: `case_notes (append)`. */
            writes: string[];
        };
        /** @description A value for each limit; `null` is no limit. */
        LimitSettingsView: {
            /**
             * Format: int64
             * @description How long an action waits for an approval; `null` is the time of its lane, five minutes in the built-in ones.
             * @example 3600
             */
            approvalSeconds: number | null;
            /**
             * Format: int64
             * @description Sessions that start or run at once. A paused session does not count.
             * @example 50
             */
            liveSessions: number | null;
            /**
             * Format: int64
             * @description Sandboxes at once. A session that moves has two for a while.
             * @example 60
             */
            sandboxes: number | null;
            /**
             * Format: int64
             * @description What all sessions together spend on their models in a day (UTC), in millionths of a dollar.
             * @example 50000000
             */
            spendDayMicroUsd: number | null;
            /**
             * Format: int64
             * @description The same in a month (UTC).
             * @example 1000000000
             */
            spendMonthMicroUsd: number | null;
            /**
             * Format: int64
             * @description Bytes of snapshots, artifacts, recordings and evidence.
             * @example 100000000000
             */
            storageBytes: number | null;
        };
        /** @description What the organization uses now. */
        LimitsUsedView: {
            /** Format: int64 */
            liveSessions: number;
            /** Format: int64 */
            sandboxes: number;
            /** Format: int64 */
            spendDayMicroUsd: number;
            /** Format: int64 */
            spendMonthMicroUsd: number;
            /** Format: int64 */
            storageBytes: number;
            /**
             * Format: date-time
             * @description When results of calls were last added to the stored bytes; `null` if they are still to be.
             */
            storageCountedAt: string | null;
        };
        LiveConfig: {
            /** @description This client's id in `clients` and `presence`. */
            connectionId: string;
            orgId: string;
            previewTunnelUrl?: string;
            repoId?: string;
            /** Format: uuid */
            sessionId: string;
            userId?: string;
        };
        /** @description An error. */
        LiveError: {
            code: components["schemas"]["LiveErrorCode"];
            message: string;
            /** @description Whether the same request may succeed later. */
            retryable: boolean;
        };
        /** @enum {string} */
        LiveErrorCode: "invalid_frame" | "forbidden" | "refused" | "model" | "agent" | "silent" | "sandbox";
        /** @description A message of a user or of the agent. */
        LiveMessage: {
            content: string;
            /**
             * Format: int64
             * @description Milliseconds since 1970.
             */
            createdAt: number;
            id: string;
            isComplete: boolean;
            parts?: components["schemas"]["MessagePart"][];
            /**
             * @description The prompt that this message of the agent responds to, by an id with the same ending as the
             *     prompt's.
             */
            promptId?: string;
            role: components["schemas"]["MessageRole"];
            /** @description The user who wrote it. */
            senderId?: string;
            source?: components["schemas"]["MessageSource"];
            toolCalls?: components["schemas"]["ToolCallView"][];
        };
        /**
         * @description The status of a session as users see it.
         * @enum {string}
         */
        LiveStatus: "creating" | "resuming" | "running" | "migrating" | "paused" | "stopped" | "error";
        /** @description Requests a sign-in link by mail. */
        LoginMailRequest: {
            /** @example ada@acme.example */
            email: string;
        };
        /**
         * @description The credential a user presented when their browser logged in.
         * @enum {string}
         */
        LoginMethod: "token" | "api_key" | "link" | "oidc";
        /** @description The ways to log in besides a token, a key or a one-time link. */
        LoginOptions: {
            /** @description Whether `POST /v1/login/mail` mails a link to a member's address. */
            mail: boolean;
            /** @description Whether there is an identity provider. */
            oidc: boolean;
            /** @description The identity providers, at most 21, in the order in which the operator lists them. */
            providers: components["schemas"]["LoginProvider"][];
            /** @description Whether this installation has no organization yet: the operator's setup link makes the first one. */
            setup: boolean;
        };
        /** @description An identity provider that users can log in with, by `/login/oidc?provider=NAME`. */
        LoginProvider: {
            /** @description For its button. */
            label: string;
            name: string;
        };
        /** @description The credential of a browser login. */
        LoginRequest: {
            /** @description A user token, an API key, or the code of a one-time link. */
            token: components["schemas"]["SecretText"];
        };
        /** @description Where a browser goes after the end of its login. */
        LogoutResponse: {
            /** @description Ends the session at the identity provider too, and comes back to the login page. */
            endSessionUrl: string;
        };
        /**
         * @description What has become of a mail.
         * @enum {string}
         */
        MailStatus: "waiting" | "sent" | "failed";
        /** @description The delivery of a mail. */
        MailView: {
            /** @description Why the last attempt failed. */
            error?: string;
            status: components["schemas"]["MailStatus"];
        };
        /** @description The platform finds or creates the configuration for a set of repositories. */
        ManagedConfiguration: {
            /** @description The repositories; all of the organization if absent. */
            repoIds?: string[] | null;
        };
        /** @description The caller, as the gateway sees it. */
        Me: {
            /** @description Of a user. */
            email?: string;
            kind: components["schemas"]["CallerKind"];
            /** @description Of a user with a login: the credential presented when it was created. */
            loginMethod?: components["schemas"]["LoginMethod"];
            /** @description Of a user or a service. */
            name?: string;
            /**
             * @description Whether the caller may view and change the fleet: an admin of an organization that operates this
             *     installation.
             */
            operatesFleet: boolean;
            organizationId: string;
            /** @description The organization's name. */
            organizationName?: string;
            /** @description Of a user. */
            role?: components["schemas"]["Role"];
            /**
             * Format: uuid
             * @description Of a sandbox.
             */
            sessionId?: string;
            /** @description Of a user. */
            signedInBy?: components["schemas"]["SignedInBy"];
            /** @description Of a user. */
            userId?: string;
        };
        /** @description A member. */
        MemberView: {
            /**
             * Format: date-time
             * @description Since when they are a member.
             */
            createdAt: string;
            email: string;
            name: string;
            role: components["schemas"]["Role"];
            /** @description The identity provider that manages the role: it is applied at each login, and cannot be changed here. */
            roleManagedBy?: string;
            userId: string;
        };
        /** @description The members, by name. */
        MembersResponse: {
            /** @description Whether there are more than shown: a thousand. */
            hasMore: boolean;
            items: components["schemas"]["MemberView"][];
        };
        MessageCancelled: {
            /** @description Absent if none had started. */
            messageId?: string;
        };
        /** @description A part of a message, in order. */
        MessagePart: {
            text: string;
            /** @enum {string} */
            type: "text";
        } | {
            text: string;
            /** @enum {string} */
            type: "thinking";
        } | {
            /** @description A data URI. */
            image: string;
            /** @enum {string} */
            type: "image";
        } | (components["schemas"]["ToolCallView"] & {
            /** @enum {string} */
            type: "tool";
        });
        MessageRef: {
            messageId: string;
        };
        /** @enum {string} */
        MessageRole: "user" | "assistant";
        /**
         * @description How a message was sent.
         * @enum {string}
         */
        MessageSource: "slack" | "web" | "api" | "cli" | "automation";
        /** @description A migration to a fresh sandbox has started; clients of the session get its progress. */
        MigrationAccepted: {
            how: components["schemas"]["MigrationKind"];
        };
        /**
         * @description How a session leaves its sandbox.
         * @enum {string}
         */
        MigrationKind: "move" | "pause";
        /**
         * @description Why a session migrates.
         * @enum {string}
         */
        MigrationReason: "expiry" | "asked";
        /**
         * @description In order; the last three are final.
         * @enum {string}
         */
        MigrationState: "started" | "completed" | "failed" | "stranded";
        /** @description The progress of a session's migration to a fresh sandbox. */
        MigrationUpdate: {
            /** @description Why it failed, if it did. */
            error?: string;
            /**
             * Format: int64
             * @description Milliseconds since 1970: when the session's current sandbox expires, if it does.
             */
            expiresAt?: number;
            /**
             * Format: int64
             * @description How long prompts had to wait. Absent while they do.
             */
            gapMs?: number;
            /** @description What was not migrated, in sentences for users. Empty if everything was. */
            lost?: string[];
            /**
             * Format: int32
             * @description Prompts that waited, and are now sent to the agent in order.
             */
            queued?: number;
            reason: components["schemas"]["MigrationReason"];
            /**
             * Format: int64
             * @description Milliseconds since 1970: when it is tried again, if it is.
             */
            retryAt?: number;
            state: components["schemas"]["MigrationState"];
        };
        /** @description What failed. */
        ModelErrorDetail: {
            message: string;
            /** @example overloaded_error */
            type: string;
        };
        /**
         * @description An error of the model's routes, in the envelope of Anthropic's API: the agent's library reads that one,
         *     decides by `type` and status what to retry, and shows the `message`.
         */
        ModelErrorView: {
            error: components["schemas"]["ModelErrorDetail"];
            /**
             * @description As in the header `x-request-id`; only where a retry may help. The agent takes a `500` anywhere in a body for
             *     that status, and an id contains one sooner or later.
             */
            request_id?: string | null;
            /**
             * @description Always `error`.
             * @example error
             */
            type: string;
        };
        /** @description Every known model, best first. */
        ModelList: {
            models: components["schemas"]["ModelView"][];
        };
        /** @description The share of one model. */
        ModelUsageOf: components["schemas"]["ModelUsageView"] & {
            /** @example claude-opus-4.6 */
            modelId: string;
        };
        /** @description The counts. */
        ModelUsageView: {
            /** Format: int64 */
            cacheReadTokens: number;
            /** Format: int64 */
            cacheWriteTokens: number;
            /**
             * Format: int64
             * @description By the provider's price list.
             * @example 1234567
             */
            costMicroUsd: number;
            /**
             * Format: int64
             * @description Those of them whose response was interrupted before it reported its usage, and that are estimated by
             *     their length.
             */
            estimatedRequests: number;
            /**
             * Format: int64
             * @description Neither read from the provider's cache nor written to it.
             */
            inputTokens: number;
            /** Format: int64 */
            outputTokens: number;
            /** Format: int64 */
            requests: number;
        };
        /** @description A model and the three spellings of its id; requests may use any of them. */
        ModelView: {
            /**
             * @description In the agent's configuration.
             * @example anthropic/claude-opus-4-6
             */
            agentModelId: string;
            /**
             * @description At the provider's API.
             * @example claude-opus-4-6
             */
            apiModelId: string;
            /** @example Claude Opus 4.6 */
            displayName: string;
            /**
             * @description The canonical one: stored and shown.
             * @example claude-opus-4.6
             */
            id: string;
            /** @description Whether it is the default of a session. */
            isDefault: boolean;
        };
        /** @description A member who is to be named for a session. */
        NamedMemberRequest: {
            may?: components["schemas"]["NamedRight"] | null;
            userId: string;
        };
        /** @description A member who is named for a session. */
        NamedMemberView: {
            email: string;
            may: components["schemas"]["NamedRight"];
            name: string;
            userId: string;
        };
        /**
         * @description What a member is named for.
         * @enum {string}
         */
        NamedRight: "see" | "steer";
        /** @description An entity changed; its current state is read separately. */
        NewsEvent: {
            /** @enum {string} */
            type: "begun";
        } | {
            /** @enum {string} */
            type: "missed";
        } | (components["schemas"]["ActionChanged"] & {
            /** @enum {string} */
            type: "action_changed";
        }) | (components["schemas"]["Changed"] & {
            /** @enum {string} */
            type: "grant_changed";
        }) | (components["schemas"]["GrantRequestChanged"] & {
            /** @enum {string} */
            type: "grant_request_changed";
        }) | (components["schemas"]["Changed"] & {
            /** @enum {string} */
            type: "session_changed";
        }) | {
            /** @enum {string} */
            type: "limits_changed";
        };
        /**
         * @description What an import does with an existing key.
         * @enum {string}
         */
        OnExisting: "skip" | "update";
        /** @description Opens a ticket. */
        OpenOverrideTicketRequest: {
            /** @example TOOL_DOCUMENT_INTAKE */
            laneId: string;
            /** Format: int32 */
            minutes: number;
            /**
             * @description The audit log keeps its digest.
             * @example the hearing is at noon
             */
            reason: string;
        };
        /** @description A call as it would run, opened from its sealed form for an admin who decides it. */
        OpenedCall: {
            /** @example create_issue */
            action: string;
            /** @description `callSha256` of the invocation when it was opened. An approval sends it, and covers nothing else. */
            callSha256: string;
            /** @example linear */
            integration: string;
            /** Format: uuid */
            invocationId: string;
            /**
             * Format: int64
             * @description Places in `params` where a credential of the gateway was replaced by `[redacted]`.
             */
            leftOut: number;
            /** @description All of it, but for credentials of the gateway itself. */
            params: Record<string, never>;
            riskLevel: components["schemas"]["RiskLevel"];
            /** Format: uuid */
            sessionId: string;
        };
        /** @description What each session of the organization may spend on its models, where neither it nor its configuration has a budget. */
        OrganizationBudgetView: {
            /**
             * Format: int64
             * @description Millionths of a dollar, as an admin set it; `null` is the operator's setting.
             */
            budgetMicroUsd?: number | null;
            /**
             * Format: int64
             * @description The effective budget; `null` is no limit.
             */
            inForceMicroUsd?: number | null;
        };
        /** @description The limits of an organization. The smaller of both levels is in force. */
        OrganizationLimitsView: {
            inForce: components["schemas"]["LimitSettingsView"];
            noticed: components["schemas"]["SpendNoticedView"];
            /** @description The ceiling, as the operator of the installation set it. */
            operator: components["schemas"]["LimitSettingsView"];
            /** @description What an admin of the organization chose. */
            organization: components["schemas"]["LimitSettingsView"];
            organizationId: string;
            used: components["schemas"]["LimitsUsedView"];
        };
        /** @description Whether share links of the organization work. */
        OrganizationSharingView: {
            shareLinks: boolean;
        };
        /**
         * @description The state of an organization.
         * @enum {string}
         */
        OrganizationStatus: "active" | "suspended" | "deleting";
        /** @description An organization. */
        OrganizationView: {
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Of one that is being deleted: until then the deletion can be taken back.
             */
            deletionDueAt?: string;
            /**
             * Format: date-time
             * @description Of one that is being deleted.
             */
            deletionRequestedAt?: string;
            id: string;
            name: string;
            /** @description Whether the setup link made it: its admins operate this installation, unless the settings name others. */
            operates: boolean;
            /** @description Part of URLs; stays when the name changes. */
            slug: string;
            status: components["schemas"]["OrganizationStatus"];
            /**
             * Format: date-time
             * @description Of one that is suspended, or was when its deletion began.
             */
            suspendedAt?: string;
            /** @description Of one that is suspended, or was when its deletion began. */
            suspensionReason?: string;
        };
        /** @description The organizations of this installation, by name. */
        OrganizationsResponse: {
            /** @description Whether there are more than shown: a thousand. */
            hasMore: boolean;
            items: components["schemas"]["OrganizationView"][];
        };
        /**
         * @description The status of a ticket.
         * @enum {string}
         */
        OverrideTicketStatus: "requested" | "approved" | "active" | "disabled" | "expired" | "closed";
        /** @description A ticket. */
        OverrideTicketView: {
            /** Format: date-time */
            approvedAt?: string | null;
            approvedBy?: string | null;
            /** @description The admin who closed it. */
            closedBy?: string | null;
            /**
             * Format: uuid
             * @description The run that ended it.
             */
            disabledRunId?: string | null;
            /** Format: date-time */
            enabledAt?: string | null;
            /**
             * Format: uuid
             * @description The run that used it.
             */
            enabledRunId?: string | null;
            /** Format: date-time */
            endedAt?: string | null;
            /**
             * Format: date-time
             * @description Until when it waits to be approved and used; once it is used, until when its lane passes. `null` when it is
             *     over.
             */
            expiresAt?: string | null;
            /** Format: uuid */
            id: string;
            /**
             * @description The lane whose calls pass.
             * @example TOOL_DOCUMENT_INTAKE
             */
            laneId: string;
            /** @description The digest of the rule with the ticket: `after_sha256` of `override.enable`. */
            liftedSha256: string;
            /**
             * Format: uuid
             * @description The lock it was opened under, and the only one it applies to.
             */
            lockId: string;
            /** @description The digest of the rule without the ticket: `before_sha256` of `override.enable`. */
            lockedSha256: string;
            /**
             * Format: int32
             * @description How long they pass, from when the ticket is used.
             */
            minutes: number;
            /** Format: date-time */
            openedAt: string;
            openedBy: string;
            organizationId: string;
            reason: string;
            status: components["schemas"]["OverrideTicketStatus"];
        };
        /** @description One page of a list, newest first. */
        Page_ApiKeyView: {
            items: components["schemas"]["ApiKeyView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_ArtifactRef: {
            items: components["schemas"]["ArtifactRef"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_AuditRecordView: {
            items: components["schemas"]["AuditRecordView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_AutomationRunView: {
            items: components["schemas"]["AutomationRunView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_AutomationView: {
            items: components["schemas"]["AutomationView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_CaseRecordView: {
            items: components["schemas"]["CaseRecordView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_CaseView: {
            items: components["schemas"]["CaseView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_ConfigurationView: {
            items: components["schemas"]["ConfigurationView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_ConnectorView: {
            items: components["schemas"]["ConnectorView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_GrantRequestView: {
            items: components["schemas"]["GrantRequestView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_GrantView: {
            items: components["schemas"]["GrantView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_IntegrationView: {
            items: components["schemas"]["IntegrationView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_InvitationView: {
            items: components["schemas"]["InvitationView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_InvocationView: {
            items: components["schemas"]["InvocationView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_JobView: {
            items: components["schemas"]["JobView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_OverrideTicketView: {
            items: components["schemas"]["OverrideTicketView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_RepoView: {
            items: components["schemas"]["RepoView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_RunView: {
            items: components["schemas"]["RunView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_SecretView: {
            items: components["schemas"]["SecretView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_SessionSummary: {
            items: components["schemas"]["SessionSummary"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_ToolInvocationView: {
            items: components["schemas"]["ToolInvocationView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_WebhookDeliveryView: {
            items: components["schemas"]["WebhookDeliveryView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One page of a list, newest first. */
        Page_WebhookView: {
            items: components["schemas"]["WebhookView"][];
            /**
             * @description Pass it as `cursor` to get the next page; absent on the last one.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            nextCursor?: string;
        };
        /** @description One difference. */
        PolicyChangeView: {
            /** @description `added`, `removed` or `changed`. */
            change: string;
            /** @description The changed fields, of a `changed` entry. */
            fields: components["schemas"]["PolicyFieldView"][];
            /** @description `lane`, `role` or `tool`. */
            kind: string;
            name: string;
        };
        /** @description The differences between two policies: lanes, then roles, then tools, each by name. */
        PolicyDiffResponse: {
            changes: components["schemas"]["PolicyChangeView"][];
        };
        /** @description A field's removed and added values. */
        PolicyFieldView: {
            added: string[];
            field: string;
            removed: string[];
        };
        /** @description A file of a policy. */
        PolicyPin: {
            /** @description The id of its content in git. */
            blob: string;
            /** @description `null` if it was not read from a git work tree. */
            commit?: string | null;
            sha256: string;
        };
        /** @description The files of a policy, each by its bytes. */
        PolicyPins: {
            lanes: components["schemas"]["PolicyPin"];
            roles: components["schemas"]["PolicyPin"];
            tools: components["schemas"]["PolicyPin"];
        };
        /** @description A policy that is or was in force. */
        PolicyVersionView: {
            /** @description Whether it is the one in force. */
            current: boolean;
            /**
             * Format: date-time
             * @description When it first came into force.
             */
            firstUsedAt: string;
            id: string;
            lanesSha256: string;
            rolesSha256: string;
            toolsSha256: string;
        };
        /** @description The policies in use over time: the one in force, then earlier ones, newest first. */
        PolicyVersionsResponse: {
            items: components["schemas"]["PolicyVersionView"][];
        };
        /** @description Git blob ids of the files of the policy it is pinned to. */
        PolicyVersionsView: {
            lanes: string;
            roles: string;
            tools: string;
        };
        /** @description A policy: its lanes, roles and tools, and the files they were read from. */
        PolicyView: {
            /** @description What runs are pinned to. */
            id: string;
            lanes: components["schemas"]["LaneView"][];
            pins: components["schemas"]["PolicyPins"];
            roles: components["schemas"]["RoleView"][];
            tools: components["schemas"]["ToolView"][];
        };
        /**
         * @description A location in the parameters and its required value: one of `equals`, `oneOf` and `prefix`.
         * @example {
         *       "oneOf": [
         *         "ENG",
         *         "OPS"
         *       ],
         *       "pointer": "/teamId"
         *     }
         */
        Predicate: {
            /** @description Any JSON, `null` included. */
            equals?: Record<string, never> | null;
            oneOf?: Record<string, never>[];
            /** @description A JSON Pointer (RFC 6901). */
            pointer: string;
            /** @description For a text. */
            prefix?: string;
        };
        Presence: {
            clients: components["schemas"]["ConnectedClient"][];
        };
        /** @description What to preview. */
        PreviewTicketRequest: {
            /**
             * Format: int32
             * @description The port that the session exposed.
             */
            port: number;
        };
        /** @description Where to open the preview. */
        PreviewTicketView: {
            /** Format: date-time */
            expiresAt: string;
            /**
             * @description A URL of this gateway. It gives access without a further credential; treat it like a
             *     password.
             * @example /proliferate/0192f0c1-2345-7abc-8def-0123456789ab/look/v1.1.../
             */
            url: string;
        };
        PreviewUrl: {
            url: string;
        };
        /** @description What failed and how to fix it (RFC 9457). */
        Problem: {
            /** @description The stable name of this kind of problem. Programs decide by it, never by the texts. */
            code: components["schemas"]["ProblemCode"];
            /**
             * @description What happened this time, in one sentence.
             * @example There is no such session.
             */
            detail: string;
            /** @description The invalid members of the request, if they are the problem. */
            errors?: components["schemas"]["FieldError"][];
            /** @description The usual remedy. */
            hint?: string;
            /**
             * @description For a session that another instance serves: the URL of that instance.
             * @example http://10.0.0.2:7777
             */
            ownerUrl?: string;
            /**
             * @description Identifies this request in the logs; quote it when asking for help.
             * @example 0192f0c1-2345-7abc-8def-0123456789ab
             */
            request_id?: string;
            /** @description Whether the same request may succeed later without being changed. */
            retryable: boolean;
            /**
             * Format: int32
             * @description The HTTP status, repeated.
             * @example 404
             */
            status: number;
            /**
             * @description The kind of problem in a few words; the same for every problem of this code.
             * @example Not found
             */
            title: string;
            /**
             * @description Address of the page that explains this kind of problem, relative to the gateway.
             * @example /errors/NOT_FOUND
             */
            type: string;
        };
        /**
         * @description The stable name of a kind of problem.
         * @enum {string}
         */
        ProblemCode: "INVALID_REQUEST" | "INVALID_JSON" | "UNSUPPORTED_MEDIA_TYPE" | "PAYLOAD_TOO_LARGE" | "UNAUTHENTICATED" | "TOKEN_EXPIRED" | "ADMISSION_DENIED" | "FORBIDDEN" | "ORGANIZATION_SUSPENDED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "IDEMPOTENCY_CONFLICT" | "INVALID_STATE" | "WRONG_INSTANCE" | "EXPIRED" | "LIMIT_REACHED" | "RATE_LIMITED" | "BODY_TOO_SLOW" | "INTERNAL" | "ARTIFACT_ALTERED" | "OVERLOADED" | "DATABASE_UNAVAILABLE" | "COORDINATION_UNAVAILABLE" | "STORAGE_UNAVAILABLE" | "UPSTREAM_UNAVAILABLE" | "REQUEST_TIMEOUT";
        /** @description The prompt is recorded. */
        PromptAccepted: {
            /** @description Its id in the conversation. */
            messageId: string;
            ok: boolean;
        };
        /** @description A task for the agent. */
        PromptRequest: {
            /** @description What to do. */
            content: string;
            /** @description Pictures as data URIs. */
            images?: string[];
        };
        /**
         * @description Whether the sandbox is created at once or on first use.
         * @enum {string}
         */
        Provisioning: "deferred" | "immediate";
        /** @description Why a sandbox could not be created. */
        ProvisioningError: {
            message: string;
            /** @description Whether a retry may help. */
            retryable: boolean;
        };
        /** @description Reads a shared transcript. */
        ReadSharedRequest: {
            /**
             * Format: int64
             * @description `next` of the page before.
             */
            after?: number | null;
            /** @description What stands behind `#` in the link. */
            code: components["schemas"]["SecretText"];
        };
        /** @description Whether everything that requests depend on responds. */
        Ready: {
            checks: components["schemas"]["ReadyCheck"][];
            status: components["schemas"]["ReadyStatus"];
        };
        /** @description The check of one dependency. */
        ReadyCheck: {
            /** @description What failed, in words that reveal nothing confidential. */
            detail?: string;
            /** Format: int64 */
            durationMs: number;
            /** @example database */
            name: string;
            ok: boolean;
        };
        /**
         * @description The summary of all checks.
         * @enum {string}
         */
        ReadyStatus: "ready" | "not_ready";
        /** @description A chunk of a recording that was stored. */
        RecordingChunkView: {
            /** @description The same chunk existed before. */
            alreadyExisted: boolean;
            /** Format: int64 */
            byteSize: number;
            /**
             * Format: int32
             * @description Its position, from 0.
             */
            n: number;
            /** @description The digest of its bytes, in hexadecimal. */
            sha256: string;
        };
        /** @description Refuses a grant request. */
        RefuseGrantRequest: {
            reason?: string | null;
        };
        /** @description What a removal did. */
        RemovedMemberView: {
            /**
             * Format: int64
             * @description How many automations.
             */
            automations: number;
            /** @description Whether name and address of the user were erased. */
            isErased: boolean;
            /**
             * Format: int64
             * @description How many sessions.
             */
            sessions: number;
            /** @description User id of the member whom sessions and automations went to. */
            successor: string;
        };
        /**
         * @description What agents may push: nothing, any branch but the default one, or anything the credential allows.
         * @enum {string}
         */
        RepoPush: "never" | "branches" | "any";
        /**
         * @description Where the code comes from.
         * @enum {string}
         */
        RepoSource: "github" | "git" | "local";
        /** @description A repository. */
        RepoView: {
            /** Format: date-time */
            createdAt: string;
            createdBy?: string | null;
            defaultBranch: string;
            /** Format: uuid */
            id: string;
            /** @description No connection gives access to it any more. */
            isOrphaned: boolean;
            name: string;
            organizationId: string;
            push: components["schemas"]["RepoPush"];
            serviceCommands: components["schemas"]["ServiceCommand"][];
            source: components["schemas"]["RepoSource"];
            /** Format: date-time */
            updatedAt: string;
            url?: string | null;
        };
        /** @description An agent requests a grant. An admin decides; until then nothing is granted. */
        RequestGrantRequest: {
            /** @description A name or `*`. */
            action: string;
            /** @description A name or `*`. */
            integration: string;
            /**
             * Format: int64
             * @description No limit if absent or `null`.
             */
            maxCalls?: number | null;
            scope?: components["schemas"]["GrantScope"] | null;
        };
        /** @description Accepts definitions of a connector's tools. */
        ReviewConnectorRequest: {
            tools: components["schemas"]["AcceptedTool"][];
        };
        /**
         * @description How much harm an action can do: reads run, writes need an approval, danger is denied.
         * @enum {string}
         */
        RiskLevel: "read" | "write" | "danger";
        /** @description The risk an admin assigns to a server's tools. */
        RiskPolicy: {
            defaultRisk?: components["schemas"]["RiskLevel"] | null;
            /** @description By the tool's name. */
            overrides?: {
                [key: string]: components["schemas"]["RiskLevel"];
            };
        };
        /**
         * @description Where a risk comes from.
         * @enum {string}
         */
        RiskSource: "tool_override" | "destructive_hint" | "read_only_hint" | "connector_default" | "fallback" | "definition_changed";
        /**
         * @description What a member may do in an organization.
         * @enum {string}
         */
        Role: "member" | "admin" | "owner";
        /** @description A role: who it is for, and its lanes. */
        RoleView: {
            /** @description `human`, `agent` or `system`. */
            class: string;
            description: string;
            id: string;
            lanes: string[];
        };
        /** @description A webhook with a new secret. The previous one stays valid for another day. */
        RotateWebhookSecretResponse: {
            /** @description The key that deliveries are signed with from now on; shown here once. */
            secret: components["schemas"]["SecretText"];
            webhook: components["schemas"]["WebhookView"];
        };
        /** @description The actor of a run. */
        RunActorView: {
            actor_id: string;
            actor_type: string;
            lane_id?: string | null;
            role_id: string;
        };
        /** @description An artifact in a run record. */
        RunArtifactRef: {
            artifact_id: string;
            artifact_kind: string;
            hash_sha256: string;
            storage_locator: string;
        };
        RunArtifacts: {
            artifact_refs: components["schemas"]["RunArtifactRef"][];
        };
        /** @enum {string} */
        RunEndStatus: "completed" | "failed";
        /** @description A run record. */
        RunView: {
            actor: components["schemas"]["RunActorView"];
            /** @description The response for the caller, for the run of a call. */
            answer?: components["schemas"]["ToolCallAnswer"];
            case_id?: string | null;
            /** Format: date-time */
            completed_at_utc?: string | null;
            contract_version: string;
            correlation_id?: string;
            /** Format: date-time */
            created_at_utc: string;
            /** Format: int64 */
            duration_ms?: number | null;
            error?: components["schemas"]["ToolCallError"] | null;
            inputs: components["schemas"]["RunArtifacts"];
            operation?: string;
            outcome_reason?: string;
            outputs: components["schemas"]["RunArtifacts"];
            /** Format: uuid */
            parent_run_id?: string | null;
            policy_versions?: components["schemas"]["PolicyVersionsView"] | null;
            request_hash_sha256?: string;
            /** Format: uuid */
            root_run_id: string;
            /** Format: uuid */
            run_id: string;
            /** @example tool_gateway */
            run_kind: string;
            /** Format: uuid */
            session_id?: string | null;
            /** Format: date-time */
            started_at_utc?: string | null;
            /**
             * @description `created`, `running`, `completed`, `failed`, `denied` or `cancelled`.
             * @example completed
             */
            status: string;
            tool_name?: string;
            tool_version?: string;
        };
        /** @description Whether calls are locked, by whom, and which calls still pass. */
        SafetyLockView: {
            /** @description Whether calls of the organization are stopped, by an admin or an operator. */
            engaged: boolean;
            /** @description Whether an operator has locked the whole installation. No ticket exempts from that. */
            installation: boolean;
            /** @description Tickets whose lanes pass that lock now. */
            lifted: components["schemas"]["OverrideTicketView"][];
            lock?: components["schemas"]["EngagedLock"] | null;
        };
        /** @description The sandbox of a session's agent. */
        SandboxView: {
            /**
             * Format: date-time
             * @description When it expires, if it does.
             */
            expiresAt?: string | null;
            /** @description The provider of the sandbox. */
            provider?: string | null;
            /** @description `null` before the first boot, as are the following members. */
            sandboxId?: string | null;
            /** Format: uuid */
            sessionId: string;
            status: components["schemas"]["SessionStatus"];
            /** @description Its isolation tier. */
            tier?: string | null;
            /** @description What the tier does not protect against. */
            unprotected: string[];
        };
        /** @description Whether one key exists. */
        SecretCheck: {
            exists: boolean;
            key: string;
        };
        /**
         * @description Where a secret applies.
         * @example {
         *       "id": "0192f0c1-2345-7abc-8def-0123456789ab",
         *       "kind": "repo"
         *     }
         */
        SecretScope: {
            /**
             * Format: uuid
             * @description Id of the repository, configuration or session; absent for the organization.
             */
            id?: string;
            kind: components["schemas"]["SecretScopeKind"];
        };
        /**
         * @description The kind of a scope, from widest to narrowest: a narrower one overrides a wider one.
         * @enum {string}
         */
        SecretScopeKind: "organization" | "repo" | "configuration" | "session";
        /**
         * Format: password
         * @description A confidential string. It occurs in requests and never in a response, with the one exception of
         *     a new API key.
         */
        SecretText: string;
        /** @description A secret without its value. */
        SecretView: {
            /** Format: date-time */
            createdAt: string;
            createdBy?: string | null;
            description?: string | null;
            /** Format: uuid */
            id: string;
            key: string;
            scope: components["schemas"]["SecretScope"];
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description The message. */
        ServerMessage: {
            /** @description The current state of the session; the first message of all. */
            payload: components["schemas"]["Init"];
            /** @enum {string} */
            type: "init";
        } | {
            /** @description A message starts, or a whole one of a user. */
            payload: components["schemas"]["LiveMessage"];
            /** @enum {string} */
            type: "message";
        } | {
            /** @description More of the agent's text. */
            payload: components["schemas"]["Token"];
            /** @enum {string} */
            type: "token";
        } | {
            /** @description The whole text of a part; it replaces what was streamed. */
            payload: components["schemas"]["TextPart"];
            /** @enum {string} */
            type: "text_part_complete";
        } | {
            /**
             * @description The text of a part so far, for a client that could not keep up or reconnects in the middle of it. It
             *     replaces what was streamed.
             */
            payload: components["schemas"]["TextPart"];
            /** @enum {string} */
            type: "text_snapshot";
        } | {
            /** @description The streamed text of this part is void: the model is called again. */
            payload: components["schemas"]["TextRef"];
            /** @enum {string} */
            type: "text_void";
        } | {
            /** @description More of the agent's reasoning. */
            payload: components["schemas"]["Token"];
            /** @enum {string} */
            type: "thinking";
        } | {
            /** @description The whole reasoning of a part. */
            payload: components["schemas"]["TextPart"];
            /** @enum {string} */
            type: "thinking_complete";
        } | {
            payload: components["schemas"]["MessageRef"];
            /** @enum {string} */
            type: "message_complete";
        } | {
            payload: components["schemas"]["MessageCancelled"];
            /** @enum {string} */
            type: "message_cancelled";
        } | {
            payload: components["schemas"]["ToolStart"];
            /** @enum {string} */
            type: "tool_start";
        } | {
            payload: components["schemas"]["ToolMetadata"];
            /** @enum {string} */
            type: "tool_metadata";
        } | {
            payload: components["schemas"]["ToolEnd"];
            /** @enum {string} */
            type: "tool_end";
        } | {
            payload: components["schemas"]["StatusUpdate"];
            /** @enum {string} */
            type: "status";
        } | {
            payload: components["schemas"]["LiveError"];
            /** @enum {string} */
            type: "error";
        } | {
            payload: components["schemas"]["PreviewUrl"];
            /** @enum {string} */
            type: "preview_url";
        } | {
            payload: components["schemas"]["TitleUpdate"];
            /** @enum {string} */
            type: "title_update";
        } | {
            payload: components["schemas"]["SnapshotResult"];
            /** @enum {string} */
            type: "snapshot_result";
        } | {
            payload: components["schemas"]["AutoStartOutput"];
            /** @enum {string} */
            type: "auto_start_output";
        } | {
            payload: components["schemas"]["GitState"];
            /** @enum {string} */
            type: "git_status";
        } | {
            payload: components["schemas"]["GitResult"];
            /** @enum {string} */
            type: "git_result";
        } | {
            payload: components["schemas"]["ActionApprovalRequest"];
            /** @enum {string} */
            type: "action_approval_request";
        } | {
            payload: components["schemas"]["ActionApprovalResult"];
            /** @enum {string} */
            type: "action_approval_result";
        } | {
            payload: components["schemas"]["ActionCompleted"];
            /** @enum {string} */
            type: "action_completed";
        } | {
            /** @description The progress of the sandbox's boot. */
            payload: components["schemas"]["BootStep"];
            /** @enum {string} */
            type: "boot_step";
        } | {
            /** @description The session migrates to a fresh sandbox, or has. */
            payload: components["schemas"]["MigrationUpdate"];
            /** @enum {string} */
            type: "migration";
        } | {
            /** @description The connected clients; of very many, the first. */
            payload: components["schemas"]["Presence"];
            /** @enum {string} */
            type: "presence";
        } | {
            /** @description Events that are no longer kept; ask for the messages. */
            payload: components["schemas"]["Gap"];
            /** @enum {string} */
            type: "gap";
        } | {
            /** @enum {string} */
            type: "session_paused";
        } | {
            /** @enum {string} */
            type: "session_resumed";
        } | {
            /** @enum {string} */
            type: "pong";
        };
        /** @description A command that starts a service in the sandbox. */
        ServiceCommand: {
            /** @example npm run dev */
            command: string;
            /**
             * @description Folder to run it in, below the workspace.
             * @example apps/web
             */
            cwd?: string | null;
            /** @example web */
            name: string;
            /** @description Folder of the repository it belongs to, if the configuration has several. */
            workspacePath?: string | null;
        };
        /** @description A session and its connections. */
        SessionDetail: components["schemas"]["SessionView"] & {
            integrationIds: string[];
            /** @description Connections that were requested and left out. */
            integrationWarnings: components["schemas"]["IntegrationWarning"][];
            /** @description What the caller may do with it. */
            rights: components["schemas"]["SessionRight"][];
        };
        /**
         * @description `running` is everything that has not ended, including a session that is idle.
         * @enum {string}
         */
        SessionLiveness: "running" | "terminated";
        /**
         * @description What a caller may do with a session.
         * @enum {string}
         */
        SessionRight: "see" | "steer" | "order" | "decide" | "share";
        /** @description Who sees a session. */
        SessionSharingView: {
            /** @description `null` if the platform created it, or if its creator was removed. */
            createdBy?: string | null;
            people: components["schemas"]["NamedMemberView"][];
            /** @description What the caller may do with the session. */
            rights: components["schemas"]["SessionRight"][];
            visibility: components["schemas"]["Visibility"];
        };
        /**
         * @description The status of a session.
         * @enum {string}
         */
        SessionStatus: "pending" | "starting" | "running" | "paused" | "stopped" | "failed";
        /** @description Whether a session has ended, and if so, when and why. */
        SessionStatusResponse: {
            /** @description Why it was paused, stopped or failed. */
            reason?: string;
            state: components["schemas"]["SessionLiveness"];
            status: components["schemas"]["SessionStatus"];
            /** Format: date-time */
            terminatedAt?: string;
        };
        /** @description A session in a list. */
        SessionSummary: components["schemas"]["SessionView"] & {
            /**
             * Format: int64
             * @description What its models have cost, in millionths of a dollar.
             */
            costMicroUsd: number;
            /**
             * Format: int64
             * @description How many things in it wait for a user: actions of its agent to decide, and forms to fill in.
             */
            needsYou: number;
            /**
             * Format: uuid
             * @description The instance that serves it; `null` if none does now.
             */
            ownerInstanceId?: string | null;
        };
        /**
         * @description What a session is for; its tools and instructions follow from it.
         * @enum {string}
         */
        SessionType: "setup" | "coding" | "automation" | "cli";
        /** @description A session's model usage so far. Money is in millionths of a dollar. */
        SessionUsageView: {
            /**
             * Format: int64
             * @description What it may spend; `null` is no limit.
             * @example 5000000
             */
            budgetMicroUsd: number | null;
            /**
             * @description Whether an admin set the budget of this session; otherwise it is its configuration's, its organization's, or
             *     the operator's for every session.
             */
            hasOwnBudget: boolean;
            models: components["schemas"]["ModelUsageOf"][];
            /**
             * @description Whether the budget is used up: the session is paused, and its model refused, until it is
             *     raised.
             */
            overBudget: boolean;
            /** Format: uuid */
            sessionId: string;
            total: components["schemas"]["ModelUsageView"];
        };
        /** @description A session. */
        SessionView: {
            agentConfig: components["schemas"]["AgentConfigView"];
            clientMetadata?: Record<string, never> | null;
            clientType: components["schemas"]["ClientType"];
            /**
             * Format: uuid
             * @description `null` for a scratch session.
             */
            configurationId?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description `null` if the platform created it, or if its creator was removed. */
            createdBy?: string | null;
            /**
             * Format: date-time
             * @description When it was stopped or failed.
             */
            endedAt?: string | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description Counts the boots of its sandbox.
             */
            incarnation: number;
            initialPrompt?: string | null;
            /** Format: date-time */
            lastActivityAt: string;
            organizationId: string;
            /**
             * Format: int64
             * @description Grows with every change of the instance that owns it.
             */
            ownerEpoch: number;
            /** Format: date-time */
            pausedAt?: string | null;
            /** @description Why it was paused, stopped or failed. */
            reason?: string | null;
            sessionType: components["schemas"]["SessionType"];
            snapshotId?: string | null;
            /**
             * Format: date-time
             * @description Since when it runs, or ran before its pause.
             */
            startedAt?: string | null;
            status: components["schemas"]["SessionStatus"];
            systemPrompt?: string | null;
            title?: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** @description Which members see it. */
            visibility: components["schemas"]["Visibility"];
        };
        /** @description Whether a setup link can be used. */
        SetupLinkView: {
            /**
             * Format: date-time
             * @description Until when; of a valid one.
             */
            expiresAt?: string;
            /** @description Why it cannot be used, and what to do; of one that is not valid. */
            reason?: string;
            valid: boolean;
        };
        /** @description The first organization of an installation, and its owner. */
        SetupRequest: {
            /** @description The code of the link. */
            code: components["schemas"]["SecretText"];
            organizationName: string;
            /** @description The mail address of the owner. */
            ownerEmail: string;
            ownerName: string;
        };
        /** @description A share link. Its code is not part of it: it exists in clear only in the response that created the link. */
        ShareLinkView: {
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When an opening was last recorded: one an hour at most.
             */
            openedAt?: string | null;
            /**
             * Format: int64
             * @description How many openings were recorded.
             */
            openings: number;
            /** Format: date-time */
            revokedAt?: string | null;
        };
        /** @description The share links of a session, newest first. */
        ShareLinksResponse: {
            /** @description Whether links of the organization work now. */
            allowed: boolean;
            items: components["schemas"]["ShareLinkView"][];
        };
        /** @description A page of a shared transcript, as it was recorded. */
        SharedTranscript: {
            /** @description Whether something was recorded before the first event that is kept. */
            beginsLater: boolean;
            /**
             * Format: date-time
             * @description When the session was created.
             */
            createdAt: string;
            /** @description In their order. Secrets are left out, and so are images, reasons and parameters of approvals, and everything live. */
            events: components["schemas"]["Frame"][];
            /**
             * Format: date-time
             * @description Until when the link works.
             */
            expiresAt: string;
            /**
             * Format: int64
             * @description `null` at the end.
             */
            next?: number | null;
            title?: string | null;
        };
        /**
         * @description How a user authenticates.
         * @enum {string}
         */
        SignedInBy: "token" | "api_key" | "login";
        SnapshotResult: {
            error?: string;
            snapshotId?: string;
            success: boolean;
            target: components["schemas"]["SnapshotTarget"];
        };
        /**
         * @description What a snapshot was saved for.
         * @enum {string}
         */
        SnapshotTarget: "configuration" | "session";
        /** @description A saved sandbox. */
        SnapshotView: {
            /** Format: int64 */
            byteSize: number;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: int32
             * @description How many layers a sandbox based on it has: its own, and those of its ancestors.
             */
            depth: number;
            /** @description The provider's name for it. */
            id: string;
            /** @description Whether sessions of the configuration start from it. */
            isDefault: boolean;
            /** @description The snapshot it is based on. */
            parentId?: string | null;
            provider: string;
            /**
             * Format: uuid
             * @description The session whose sandbox it was.
             */
            sessionId: string;
        };
        /** @description The snapshots of a configuration, newest first. */
        SnapshotsResponse: {
            items: components["schemas"]["SnapshotView"][];
        };
        /** @description The largest share of a spend limit that was noticed in the current day and month, in percent: 0, 80 or 100. */
        SpendNoticedView: {
            /** Format: int64 */
            dayPercent: number;
            /** Format: int64 */
            monthPercent: number;
        };
        /** @description Access to the sandbox by SSH. */
        SshOptions: {
            /** @description Added to the `envVars` of the session. */
            envVars?: components["schemas"]["EnvVars"];
            gitToken?: components["schemas"]["SecretText"] | null;
            /** @description The folder on the caller's machine. */
            localPath?: string | null;
            /**
             * @example [
             *       "ssh-ed25519 AAAAC3Nz... ann@laptop"
             *     ]
             */
            publicKeys: string[];
        };
        /** @description Starts the login of a terminal. */
        StartDeviceLoginRequest: {
            /**
             * @description What the machine is called: the name of the API key, and what the member reads before they decide.
             * @example ada-laptop
             */
            machine: string;
        };
        StatusUpdate: {
            /** @description The agent has finished all of its prompts, and is idle. */
            isIdle?: boolean;
            message?: string;
            status: components["schemas"]["LiveStatus"];
        };
        /** @description What a user filled in: 1 to 50 values. */
        SubmitEnvRequest: {
            /** @description Put into the sandbox and stored nowhere else. */
            envVars?: components["schemas"]["EnvVars"];
            /** @description Stores secrets for every session of the configuration, instead of this session alone. */
            saveToConfiguration?: boolean;
            secrets?: components["schemas"]["SubmittedSecret"][];
        };
        /** @description The values are in the sandbox, and the agent gets their names. */
        SubmitEnvResponse: {
            /** @description The id of the message to the agent, in the conversation. */
            messageId: string;
            /** @description In the order of the names. */
            results: components["schemas"]["SubmittedKey"][];
            submitted: boolean;
        };
        SubmittedKey: {
            /** @description Whether its value replaced a stored one. */
            alreadyExisted: boolean;
            key: string;
            persisted: boolean;
        };
        /** @description A value that is also stored, encrypted, for the next sandbox. */
        SubmittedSecret: {
            description?: string | null;
            /**
             * @description Name of the environment variable: letters, digits and `_`. Names the platform sets itself are refused.
             * @example STRIPE_KEY
             */
            key: string;
            /** @description `true` if absent; with `false` it is put into the sandbox and stored nowhere else. */
            persist?: boolean | null;
            /** @description At most 64 KiB. Never returned. */
            value: components["schemas"]["SecretText"];
        };
        /** @description Why an organization is suspended. */
        SuspendOrganizationRequest: {
            /** @description Shown to its members. */
            reason: string;
        };
        /** @description An action that a grant names and does not cover. */
        SuspendedActionView: {
            action: string;
            /**
             * @description The digest of the definition that the grant was created for; `null` for an action that was
             *     not known.
             */
            givenForSha256?: string | null;
            integration: string;
            /** @description What happened, and what makes the grant cover the action again. */
            message: string;
            /** @description The digest of the current definition. */
            nowSha256: string;
            reason: components["schemas"]["SuspensionReason"];
        };
        /** @description A grant that does not cover a call because the action's definition has changed. */
        SuspendedGrantView: {
            /** Format: uuid */
            grantId: string;
            /** @example the tool's definition changed since it was given; an admin has to review the definition */
            message: string;
            reason: components["schemas"]["SuspensionReason"];
        };
        /**
         * @description Why a grant does not cover an action that it names.
         * @enum {string}
         */
        SuspensionReason: "tool_definition_changed" | "tool_definition_new" | "action_changed" | "action_new";
        /** @description Ownerless sessions and sandboxes that an instance found. Counts are since it started. */
        SweptView: {
            /**
             * Format: int32
             * @description Sessions without an owner that it took over.
             */
            adopted: number;
            /**
             * Format: int32
             * @description Sessions that it paused because their sandboxes were dead.
             */
            dead: number;
            /**
             * Format: int32
             * @description Sandboxes without a session that it ended.
             */
            ended: number;
            /**
             * Format: int32
             * @description Sandboxes, at the last sweep, of sessions that this installation does not know. They are not
             *     touched.
             */
            foreign: number;
            /**
             * Format: int32
             * @description Sandboxes without a session, at the last sweep, that it will end after their grace period.
             */
            waiting: number;
        };
        /** @description The result of a test delivery. */
        TestWebhookResponse: {
            accepted: boolean;
            /** Format: int64 */
            durationMs: number;
            error?: string | null;
            /**
             * Format: uuid
             * @description The `webhook-id` that the receiver got.
             */
            id: string;
            /**
             * Format: int32
             * @description The status of the receiver's response, if there was one.
             */
            responseStatus?: number | null;
        };
        TextPart: {
            messageId: string;
            partId: string;
            text: string;
        };
        TextRef: {
            messageId: string;
            partId: string;
        };
        TitleUpdate: {
            title: string;
        };
        Token: {
            messageId: string;
            partId: string;
            token: string;
        };
        /** @description The caller, as it identifies itself. */
        ToolCallActor: {
            actor_id: string;
            /** @description `agent`, `human` or `system`. */
            actor_type: string;
            agent_name?: string | null;
        };
        /** @description The response to a call: also to one that is denied, fails, or is invalid. */
        ToolCallAnswer: {
            correlation_id?: string;
            error?: components["schemas"]["ToolCallError"] | null;
            operation?: string | null;
            outcome: components["schemas"]["ToolCallOutcome"];
            /**
             * @description The reason as a word, such as the rule that denied.
             * @example operation_not_allowed
             */
            outcome_reason?: string;
            output_artifacts: components["schemas"]["ArtifactRef"][];
            /** @description Absent while the call is under way. */
            response_hash_sha256?: string | null;
            /**
             * Format: uuid
             * @description The run of the call; `GET /v1/runs/{id}` returns its status.
             */
            run_id?: string | null;
            /** @description Absent for a request that could not be parsed. */
            tool_name?: string | null;
        };
        /** @description Why a call did not succeed. */
        ToolCallError: {
            /**
             * @description `POLICY_DENIED`, `TOOL_TIMEOUT`, `TOOL_ERROR`, `INVALID_REQUEST` or `DEPENDENCY_DOWN`.
             * @example POLICY_DENIED
             */
            error_code: string;
            /** @example lane prohibits requested tool */
            message: string;
            retryable: boolean;
        };
        /**
         * @description The status of a call.
         * @enum {string}
         */
        ToolCallOutcome: "allow" | "deny" | "success" | "failure";
        /** @description A call of a tool. Its claims about the caller must agree with the credential; they grant nothing. */
        ToolCallRequest: {
            actor?: components["schemas"]["ToolCallActor"] | null;
            /** @example CASE-2026-014 */
            case_id?: string | null;
            contract_version?: string | null;
            correlation_id?: string | null;
            expected_policy_versions?: components["schemas"]["ExpectedPolicyVersions"] | null;
            input_artifacts?: components["schemas"]["InputArtifact"][];
            /** @example TOOL_DOCUMENT_INTAKE */
            lane_id?: string | null;
            /** @example ocr.extract */
            operation: string;
            parameters?: {
                [key: string]: unknown;
            };
            /** @description The running run of the agent or orchestrator that calls. */
            parent_run_id?: string | null;
            /** @description Checked if given. `docs/concepts/mediation.md` defines what is hashed. */
            request_hash_sha256?: string | null;
            role_id?: string | null;
            /** @description A run created in advance with `POST /v1/runs`; the gateway creates one otherwise. */
            run_id?: string | null;
            /** @description The scope of the call, by the keys the lane requires. */
            scope?: {
                [key: string]: string;
            };
            /** @example ocr.extract */
            tool_name: string;
        };
        /** @enum {string} */
        ToolCallStatus: "pending" | "running" | "completed" | "error";
        /** @description A call of a tool, with its result once it has one. */
        ToolCallView: {
            args: Record<string, never>;
            result?: string;
            status: components["schemas"]["ToolCallStatus"];
            toolCallId: string;
            toolName: string;
        };
        /** @description A call of a tool. */
        ToolCallbackRequest: {
            /** @description The arguments of the tool. */
            args?: Record<string, never>;
            /**
             * @description The model's id of the call; the same for every retry.
             * @example toolu_01A09q90qw90lq917835lq9
             */
            tool_call_id: string;
        };
        /** @description The result of a call. */
        ToolCallbackResponse: {
            /** @description For users and programs. */
            data?: Record<string, never> | null;
            /** @description For the model. */
            result: string;
            success: boolean;
        };
        /** @description A tool is done. */
        ToolEnd: {
            /** Format: int64 */
            durationMs: number;
            /** @description The result was truncated. */
            isCut?: boolean;
            partId: string;
            result: string;
            /** @description `completed` or `error`. */
            status: components["schemas"]["ToolCallStatus"];
            tool: string;
            toolCallId: string;
        };
        /**
         * @description The status of a call.
         * @enum {string}
         */
        ToolInvocationStatus: "executing" | "completed" | "failed";
        /** @description The record of a call. */
        ToolInvocationView: {
            /** Format: date-time */
            completedAt?: string | null;
            /** Format: date-time */
            createdAt: string;
            error?: string | null;
            /**
             * Format: uuid
             * @description The run of the call.
             */
            id: string;
            /** @description Without what looks like a secret. */
            params: Record<string, never>;
            /** @description What the agent got, without what looks like a secret and truncated to 10 KB. */
            result?: unknown;
            status: components["schemas"]["ToolInvocationStatus"];
            toolCallId: string;
            toolName: string;
        };
        /** @description The progress of a tool. */
        ToolMetadata: {
            metadata: components["schemas"]["ToolMetadataBody"];
            title?: string;
            tool: string;
            toolCallId: string;
        };
        ToolMetadataBody: {
            sessionId?: string;
            /** @description Steps of a tool that calls tools itself. */
            summary?: components["schemas"]["ToolSummary"][];
        };
        /** @description A tool was called. Sent again once its arguments are known. */
        ToolStart: {
            args: Record<string, never>;
            /** @description The arguments were truncated. */
            isCut?: boolean;
            messageId?: string;
            partId: string;
            tool: string;
            toolCallId: string;
        };
        ToolSummary: {
            id: string;
            state: components["schemas"]["ToolSummaryState"];
            tool: string;
        };
        ToolSummaryState: {
            status: string;
            title?: string;
        };
        /** @description A tool that calls can name. */
        ToolView: {
            accepts: string[];
            description: string;
            enabled: boolean;
            /** @description What runs it. */
            executor: string;
            /** @description Whether it sends data outside the platform. */
            external: boolean;
            /** @description Whether running it twice has the effect of once. */
            idempotent: boolean;
            operation: string;
            produces: string[];
            /** Format: int64 */
            timeoutMs: number;
            version: string;
            /** @description Whether it writes where other cases or sessions read. */
            writesShared: boolean;
        };
        /** @description Why the lock is engaged or released. */
        TurnSafetyLockRequest: {
            /**
             * @description The audit log keeps its digest.
             * @example an agent writes where it should not
             */
            reason: string;
        };
        /** @description A service that does not respond. */
        UnavailableIntegration: {
            displayName: string;
            integration: string;
            reason: string;
        };
        /** @description Changes an automation. Runs under way keep their settings. */
        UpdateAutomationRequest: {
            agentInstructions?: string;
            /**
             * Format: uuid
             * @description `null` for an empty workspace.
             */
            defaultConfigurationId?: string | null;
            description?: string | null;
            enabled?: boolean;
            modelId?: string;
            name?: string;
        };
        /** @description Changes a configuration. A given list replaces the whole list. */
        UpdateConfigurationRequest: {
            /**
             * Format: int64
             * @description What each of its sessions may spend on its model, in millionths of a dollar; `null` uses the organization's
             *     budget. For admins.
             */
            budgetMicroUsd?: number | null;
            /** @description MCP servers. For admins. */
            connectors?: components["schemas"]["ConnectorConfig"][];
            envFiles?: components["schemas"]["EnvFile"][];
            name?: string;
            /** @description `null` removes them. */
            notes?: string | null;
            repoIds?: string[];
            serviceCommands?: components["schemas"]["ServiceCommand"][];
            /** @description `null` lets its sessions start without a snapshot again. */
            snapshotId?: string | null;
        };
        /** @description Changes a connector. A given member is replaced as a whole. */
        UpdateConnectorRequest: {
            auth?: components["schemas"]["ConnectorAuth"];
            enabled?: boolean;
            name?: string;
            riskPolicy?: components["schemas"]["RiskPolicy"];
            trusted?: boolean;
            url?: string;
        };
        /** @description Changes a connection. */
        UpdateIntegrationRequest: {
            displayName?: string;
            status?: components["schemas"]["IntegrationStatusChange"];
            /** @description Replaces the token. Kept sealed and never returned. */
            token?: components["schemas"]["SecretText"];
        };
        /** @description New values for all limits of one level. Each is required: no limit is a decision, too. */
        UpdateLimitsRequest: {
            /**
             * Format: int64
             * @description How long an action waits for an approval, at most as long as its lane allows.
             * @example 3600
             */
            approvalSeconds: number | null;
            /**
             * Format: int64
             * @description Sessions that start or run at once; `null` is no limit.
             * @example 50
             */
            liveSessions: number | null;
            /**
             * Format: int64
             * @description Sandboxes at once.
             * @example 60
             */
            sandboxes: number | null;
            /**
             * Format: int64
             * @description Millionths of a dollar in a day (UTC).
             * @example 50000000
             */
            spendDayMicroUsd: number | null;
            /**
             * Format: int64
             * @description Millionths of a dollar in a month (UTC).
             * @example 1000000000
             */
            spendMonthMicroUsd: number | null;
            /**
             * Format: int64
             * @description Bytes of snapshots, artifacts, recordings and evidence.
             * @example 100000000000
             */
            storageBytes: number | null;
        };
        /** @description The new role of a member. */
        UpdateMemberRequest: {
            role: components["schemas"]["Role"];
        };
        /** @description A budget for the sessions of the organization. */
        UpdateOrganizationBudgetRequest: {
            /**
             * Format: int64
             * @description Millionths of a dollar; `null` is the operator's setting. Required: that is a decision, too.
             * @example 5000000
             */
            budgetMicroUsd: number | null;
        };
        /** @description The new name of the organization. */
        UpdateOrganizationRequest: {
            name: string;
        };
        /** @description Allows share links, or switches them off at once. */
        UpdateOrganizationSharingRequest: {
            shareLinks: boolean;
        };
        /** @description Changes a repository. A given list replaces the whole list. */
        UpdateRepoRequest: {
            defaultBranch?: string;
            name?: string;
            /** @description Only an administrator may change it. */
            push?: components["schemas"]["RepoPush"];
            serviceCommands?: components["schemas"]["ServiceCommand"][];
            source?: components["schemas"]["RepoSource"];
            /** @description `null` removes it, which only a `local` repository allows. */
            url?: string | null;
        };
        /** @description Changes a secret. Key and scope stay: the value is sealed to them. */
        UpdateSecretRequest: {
            /** @description `null` removes it. */
            description?: string | null;
            /** @description At most 64 KiB. Never returned. */
            value?: components["schemas"]["SecretText"];
        };
        /** @description A budget for one session. */
        UpdateSessionBudgetRequest: {
            /**
             * Format: int64
             * @description Millionths of a dollar; `null` is no limit. Required: no budget is a decision.
             * @example 5000000
             */
            budgetMicroUsd: number | null;
        };
        /** @description Changes a session. */
        UpdateSessionRequest: {
            /**
             * @description `null` removes it.
             * @example Fix the login page
             */
            title?: string | null;
        };
        /** @description Replaces who sees a session. */
        UpdateSessionSharingRequest: {
            /**
             * @description All members who are named from now on. A member is named to steer a session of the organization, or to see or
             *     steer one for people by name; a private session names none.
             */
            people?: components["schemas"]["NamedMemberRequest"][];
            visibility: components["schemas"]["Visibility"];
        };
        /** @description Changes a webhook. */
        UpdateWebhookRequest: {
            enabled?: boolean;
            events?: components["schemas"]["WebhookEvent"][];
            url?: string;
        };
        /** @description The result of an upload. */
        UploadArtifactResponse: {
            /** @description The same bytes existed with the same kind and media type; `artifact` is the existing one. */
            alreadyExisted: boolean;
            artifact: components["schemas"]["ArtifactRef"];
        };
        /** @description Tests a connector. */
        ValidateConnectorRequest: {
            connector: components["schemas"]["ConnectorConfig"];
        };
        /** @description The server's tools, or what failed. */
        ValidateConnectorResponse: {
            diagnostics?: components["schemas"]["ConnectorDiagnostics"] | null;
            error?: string | null;
            /** @description Tools of the server that cannot be used, and why. */
            notes?: string[];
            ok: boolean;
            tools: components["schemas"]["ConnectorToolView"][];
        };
        VerificationFile: {
            /**
             * @description Derived from the file's name.
             * @example image/png
             */
            contentType: string;
            /** @example sessions/0192f0c1-2345-7abc-8def-0123456789ab/verification/1763200000/shots/cart.png */
            key: string;
            /** Format: date-time */
            lastModified: string;
            /** @example cart.png */
            name: string;
            /**
             * @description Below the submitted folder.
             * @example shots/cart.png
             */
            path: string;
            /** Format: int64 */
            size: number;
        };
        /** @description Submitted files, those of the newest call first. */
        VerificationMedia: {
            files: components["schemas"]["VerificationFile"][];
            /** @description Pass it as `cursor` to get the next page; absent on the last one. */
            nextCursor?: string;
            /** @description The URL of the bytes of the file that `key` named; for the same caller. */
            url?: string;
        };
        /**
         * @description Which members of the organization see a session. Admins and owners see every session.
         * @enum {string}
         */
        Visibility: "organization" | "private" | "people";
        /** @description Through this lane, in this role. */
        WayView: {
            lane: string;
            requires: string[];
            role: string;
        };
        /** @description The delivery of one event to a receiver, with all of its attempts. */
        WebhookDeliveryView: {
            /** Format: int32 */
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            error?: string | null;
            event: components["schemas"]["WebhookEvent"];
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description `null` for a notice that is about no action.
             */
            invocationId: string | null;
            /** Format: date-time */
            lastAttemptAt?: string | null;
            /** Format: date-time */
            nextAttemptAt?: string | null;
            /**
             * Format: int32
             * @description The status of the receiver's last response, if there was one.
             */
            responseStatus?: number | null;
            status: components["schemas"]["DeliveryStatus"];
            /** Format: uuid */
            webhookId: string;
        };
        /**
         * @description The events; the words are those of the session's stream.
         * @enum {string}
         */
        WebhookEvent: "action_approval_request" | "action_approval_result" | "action_completed" | "spend_notice";
        /** @description A webhook without its secret. */
        WebhookView: {
            /** Format: date-time */
            createdAt: string;
            createdBy?: string | null;
            enabled: boolean;
            events: components["schemas"]["WebhookEvent"][];
            /**
             * Format: int64
             * @description Failed attempts since the last success.
             */
            failedAttempts: number;
            /**
             * Format: date-time
             * @description Since when it has accepted no delivery; `null` while it does. The webhook stays enabled.
             */
            failingSince?: string | null;
            /** Format: uuid */
            id: string;
            /** @description The last error. */
            lastError?: string | null;
            /**
             * Format: date-time
             * @description When the receiver last accepted a delivery.
             */
            lastSuccessAt?: string | null;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        /** @description Every lane and role that may call a tool. */
        WhoCanResponse: {
            /** @description A disabled tool cannot be called. */
            enabled: boolean;
            tool: string;
            ways: components["schemas"]["WayView"][];
        };
        /** @description A hypothetical call. */
        WhyRequest: {
            /** @description A call without a lane if absent. */
            lane?: string | null;
            /** @example intake_agent */
            role: string;
            /**
             * @description The scope of the call, by the names of scope values.
             * @example {
             *       "case_id": "CASE_1"
             *     }
             */
            scope?: {
                [key: string]: string;
            };
            /** @example ocr.extract */
            tool: string;
            write?: components["schemas"]["WhyWrite"] | null;
        };
        /** @description The policy's decision on a call, assuming that everything that would be looked up is valid. */
        WhyResponse: {
            allowed: boolean;
            /** @description Every failed check, in the order they run. */
            failed: components["schemas"]["FailedCheckView"][];
            /** @description The rule that the caller is told; `null` if it is allowed. */
            rule?: string | null;
        };
        /** @description A table and how it is written. */
        WhyWrite: {
            /** @description `append`, `upsert` or another mode that lanes name. */
            mode: string;
            table: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    home: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description This build has no dashboard */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    error_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `code` of a problem document */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    tool_callback_internal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A name of the agent's tools */
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InternalToolRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalToolResponse"];
                };
            };
            /** @description Under way: the same call joins it */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalToolFailure"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description STORAGE_UNAVAILABLE, UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    model_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session's model key */
                "x-api-key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As in the provider's API */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The provider's response, or its stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description invalid_request_error */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description authentication_error */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description billing_error */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description not_found_error */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description timeout_error */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description request_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description rate_limit_error */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description api_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description api_error */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description timeout_error */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description overloaded_error */
            529: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
        };
    };
    model_token_count: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session's model key */
                "x-api-key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        /** @description As in the provider's API */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The provider's response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description invalid_request_error */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description authentication_error */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description billing_error */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description not_found_error */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description timeout_error */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description request_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description rate_limit_error */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description api_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description api_error */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description timeout_error */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
            /** @description overloaded_error */
            529: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelErrorView"];
                };
            };
        };
    };
    login_link: {
        parameters: {
            query?: {
                /** @description The one-time code */
                code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged in; redirects to the dashboard */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The link is invalid or expired */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description Logging in is unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    login_oidc: {
        parameters: {
            query?: {
                /** @description The name of the identity provider */
                provider?: string;
                /** @description The page of the dashboard to open, such as `/approvals` */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is next */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no such identity provider */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The service does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    login_oidc_backchannel_logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description `logout_token=TOKEN` */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description The logins have ended, or there were none */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The token is not valid, or was used before */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackchannelLogoutError"];
                };
            };
            /** @description No identity provider is configured */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The token cannot be verified now; send it again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackchannelLogoutError"];
                };
            };
        };
    };
    login_oidc_callback: {
        parameters: {
            query?: {
                /** @description The state of the authorization request */
                state?: string;
                /** @description The authorization code; absent if it was denied */
                code?: string;
                /** @description Who answers (RFC 9207), if the provider says so */
                iss?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged in; redirects to the dashboard */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is not valid, was denied, or could not be verified */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The user is not a member of an organization */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description No identity provider is configured */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The service does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The measurements */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    session_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe */
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description The same request had created it before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSessionResponse"];
                };
            };
            /** @description The session was created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSessionResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description ADMISSION_DENIED */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionStatusResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_attach: {
        parameters: {
            query?: {
                /** @description The position of the last event seen; without one the conversation so far is sent first. */
                after?: number;
            };
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A WebSocket: frames of the protocol */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The sandbox of its agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_available: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is there */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvailableActions"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_grant_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Some of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantList"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_grant_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestGrantRequest"];
            };
        };
        responses: {
            /** @description It waits for an admin */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantRequestResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_guide: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description A name of the list of available actions */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The guide */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuideResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_invocation_list: {
        parameters: {
            query?: {
                status?: components["schemas"]["ActionStatus"];
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Some of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationList"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_invocation_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description The invocation */
                invocation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invocation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_approve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description The invocation */
                invocation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApproveResponse"];
                };
            };
            /** @description It is still running, or has to be approved once more */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApproveResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The outside service did not perform it */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApproveResponse"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_open: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description The invocation */
                invocation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call as it would run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedCall"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_deny: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description The invocation */
                invocation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DenyRequest"];
            };
        };
        responses: {
            /** @description Denied */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_invoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe */
                "Idempotency-Key"?: string | null;
            };
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvokeRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvokeResponse"];
                };
            };
            /** @description It waits for an approval, or is still running */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvokeResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The first request under this key was not decided in time */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvokeResponse"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The outside service did not perform it */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvokeResponse"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent was asked to stop */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_eager_start: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It comes up */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_events: {
        parameters: {
            query?: {
                /** @description The position of the last event seen; without one the conversation so far is sent first. */
                after?: number;
            };
            header?: {
                /** @description The last event seen */
                "Last-Event-ID"?: string | null;
            };
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events without end: `data` is a frame of the protocol */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    git_diff: {
        parameters: {
            query?: {
                /** @description Folder of the repository, below the workspace. */
                workspacePath?: string;
                /** @description One file; an untracked one counts as added. */
                path?: string;
            };
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GitDiff"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    git_status: {
        parameters: {
            query?: {
                /** @description Folder of the repository, below the workspace. */
                workspacePath?: string;
            };
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The repository */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GitState"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    git_receive_pack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description A repository of its configuration; `.git` may follow */
                repo: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-git-receive-pack-request": number[];
            };
        };
        responses: {
            /** @description A response of git's smart protocol */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-git-receive-pack-result": number[];
                };
            };
            /** @description INVALID_REQUEST, as a sentence */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED, as a sentence */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description FORBIDDEN, as a sentence */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description NOT_FOUND, as a sentence */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description BODY_TOO_SLOW, as a sentence */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description CONFLICT, as a sentence */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description PAYLOAD_TOO_LARGE, as a sentence */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description RATE_LIMITED, as a sentence */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description INTERNAL, as a sentence */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, UPSTREAM_UNAVAILABLE, REQUEST_TIMEOUT, as a sentence */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
        };
    };
    git_upload_pack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description A repository of its configuration; `.git` may follow */
                repo: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-git-upload-pack-request": number[];
            };
        };
        responses: {
            /** @description A response of git's smart protocol */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-git-upload-pack-result": number[];
                };
            };
            /** @description INVALID_REQUEST, as a sentence */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED, as a sentence */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description FORBIDDEN, as a sentence */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description NOT_FOUND, as a sentence */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description BODY_TOO_SLOW, as a sentence */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description CONFLICT, as a sentence */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description PAYLOAD_TOO_LARGE, as a sentence */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description RATE_LIMITED, as a sentence */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description INTERNAL, as a sentence */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, UPSTREAM_UNAVAILABLE, REQUEST_TIMEOUT, as a sentence */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
        };
    };
    git_refs: {
        parameters: {
            query?: {
                /** @description `git-upload-pack` or `git-receive-pack` */
                service?: string;
            };
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description A repository of its configuration; `.git` may follow */
                repo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A response of git's smart protocol */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-git-upload-pack-advertisement": number[];
                };
            };
            /** @description INVALID_REQUEST, as a sentence */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED, as a sentence */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description FORBIDDEN, as a sentence */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description NOT_FOUND, as a sentence */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description BODY_TOO_SLOW, as a sentence */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description CONFLICT, as a sentence */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description PAYLOAD_TOO_LARGE, as a sentence */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description RATE_LIMITED, as a sentence */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description INTERNAL, as a sentence */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, UPSTREAM_UNAVAILABLE, REQUEST_TIMEOUT, as a sentence */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
        };
    };
    session_heartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is known */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_preview_look: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description As it was returned */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server's response, with its own status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": number[];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mcp: {
        parameters: {
            query?: {
                /** @description Seconds a call may wait for an approval: 50 if not given, at most 50, and 1500 with progress. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        /** @description A message of JSON-RPC 2.0: `initialize`, `server/discover`, `ping`, `tools/list`, `tools/call` or a notification */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 1,
                 *       "jsonrpc": "2.0",
                 *       "method": "tools/list"
                 *     }
                 */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The answer, of JSON-RPC 2.0 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "text/event-stream": string;
                };
            };
            /** @description A notification was taken */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second prompt with the same key is the same prompt, and is run once */
                "Idempotency-Key"?: string | null;
            };
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromptRequest"];
            };
        };
        responses: {
            /** @description Taken */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptAccepted"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description ADMISSION_DENIED */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_CONFLICT, INVALID_STATE, LIMIT_REACHED, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description The port that it exposed */
                port: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server's response, with its own status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": number[];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_terminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A WebSocket: the terminal */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tool_callback: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the agent's module was made for */
                "x-proliferate-tool-version"?: string | null;
            };
            path: {
                /** @description The session */
                id: string;
                /**
                 * @description A name of the agent's tools
                 * @example save_snapshot
                 */
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolCallbackRequest"];
            };
        };
        responses: {
            /** @description Done, or failed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallbackResponse"];
                };
            };
            /** @description Under way: the same call joins it */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallbackResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description STORAGE_UNAVAILABLE, UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verification_media: {
        parameters: {
            query?: {
                /** @description Those whose keys have this prefix, such as the `prefix` that the tool returned. */
                prefix?: string;
                /** @description One file, with the URL of its bytes. */
                key?: string;
                /** @description With `key`: the bytes themselves. */
                stream?: boolean;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many calls of the tool at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files; with `stream` the bytes of the file that `key` names */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationMedia"];
                    "application/octet-stream": number[];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description ARTIFACT_ALTERED, INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description STORAGE_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            /** @description It cannot; the checks say why */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
        };
    };
    session_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page is the dashboard's: `/sessions/{id}` */
            307: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    action_inbox: {
        parameters: {
            query?: {
                status?: components["schemas"]["ActionStatus"];
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Some of them, and how many there are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_deny_many: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DenyManyRequest"];
            };
        };
        responses: {
            /** @description The result for each */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DenyManyResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The invocation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invocation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    action_explain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The invocation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verdicts of the grants */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    api_key_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ApiKeyView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    api_key_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateApiKeyResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    api_key_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    artifact_list: {
        parameters: {
            query?: {
                /** @description Those of this case; either this or `sessionId`. */
                caseId?: string;
                /** @description Those of this session; either this or `caseId`. */
                sessionId?: string;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of artifacts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ArtifactRef"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    artifact_upload: {
        parameters: {
            query: {
                /**
                 * @description The case it belongs to; either this or `sessionId`.
                 * @example CASE-2026-014
                 */
                caseId?: string;
                /** @description The session it belongs to; either this or `caseId`. */
                sessionId?: string;
                /**
                 * @description Its kind: 2 to 80 of `a-z`, `0-9`, `_`.
                 * @example document
                 */
                kind: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The bytes, at most 128 MiB, of any media type */
        requestBody: {
            content: {
                "application/octet-stream": number[];
            };
        };
        responses: {
            /** @description It existed already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadArtifactResponse"];
                };
            };
            /** @description The artifact */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadArtifactResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description ARTIFACT_ALTERED, INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description STORAGE_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    artifact_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The artifact */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The artifact */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactRef"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    artifact_content: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The artifact */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes, with the media type they were stored with; `ETag` is their SHA-256 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": number[];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description ARTIFACT_ALTERED, INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description STORAGE_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_bundle_show: {
        parameters: {
            query?: {
                case?: string;
                session?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON lines; the last one is `end` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_checkpoint_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkpoint; as text/plain the signed note alone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditCheckpointView"];
                    "text/plain": string;
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_consistency_show: {
        parameters: {
            query: {
                /** @description The size of a checkpoint that the caller keeps. */
                from: number;
                /** @description The size of a later one; the last one if absent. */
                to?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditConsistencyView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_event_list: {
        parameters: {
            query?: {
                /** @description Only of this case. Required from callers who are not administrators. */
                caseId?: string;
                sessionId?: string;
                runId?: string;
                actionType?: components["schemas"]["AuditActionType"];
                outcome?: components["schemas"]["AuditOutcome"];
                actorId?: string;
                /** @description Recorded at this time or later. */
                from?: string;
                /** @description Recorded before this time. */
                to?: string;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AuditRecordView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_key_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditKeyView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_proof_show: {
        parameters: {
            query: {
                /** @description The event's id. */
                event: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditProofView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    automation_run_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRunView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    automation_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of automations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AutomationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    automation_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAutomationRequest"];
            };
        };
        responses: {
            /** @description The automation */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    automation_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The automation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    automation_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    automation_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAutomationRequest"];
            };
        };
        responses: {
            /** @description The automation as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    automation_run_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The automation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AutomationRunView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    automation_run_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe */
                "Idempotency-Key"?: string | null;
            };
            path: {
                /** @description The automation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same request had started it before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRunView"];
                };
            };
            /** @description The run */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRunView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description ADMISSION_DENIED */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    case_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of cases */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_CaseView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    case_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCaseRequest"];
            };
        };
        responses: {
            /** @description It was opened before, with this id and title */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaseView"];
                };
            };
            /** @description The case */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaseView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    case_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaseDetail"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    case_client_session_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateClientSessionRequest"];
            };
        };
        responses: {
            /** @description The meeting */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientSessionView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    case_member_add: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case */
                id: string;
                /** @description `user:ID`, `service:NAME` or `session:ID` */
                member: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are a member */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    case_member_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The case */
                id: string;
                /** @description `user:ID`, `service:NAME` or `session:ID` */
                member: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The membership has ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    case_record_list: {
        parameters: {
            query?: {
                /**
                 * @description Those of this table alone.
                 * @example case_notes
                 */
                table?: string;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The case */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_CaseRecordView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    configuration_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of configurations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ConfigurationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    configuration_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConfigurationRequest"];
            };
        };
        responses: {
            /** @description The configuration */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    configuration_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The configuration */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    configuration_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The configuration */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    configuration_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The configuration */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConfigurationRequest"];
            };
        };
        responses: {
            /** @description The configuration as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    configuration_connectors_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The configuration */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, by id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorList"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    configuration_connectors_replace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The configuration */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectorList"];
            };
        };
        responses: {
            /** @description All of them, by id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorList"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    configuration_connectors_validate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The configuration */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateConnectorRequest"];
            };
        };
        responses: {
            /** @description The tools, or what failed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateConnectorResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    configuration_snapshots: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The configuration */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshots */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotsResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connector_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connectors */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ConnectorView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connector_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConnectorRequest"];
            };
        };
        responses: {
            /** @description It was added before, with this id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorView"];
                };
            };
            /** @description The connector */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connector_presets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The presets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorPresetList"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connector_validate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateConnectorRequest"];
            };
        };
        responses: {
            /** @description The tools, or what failed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateConnectorResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connector_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connector */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connector_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connector */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connector_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connector */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConnectorRequest"];
            };
        };
        responses: {
            /** @description The connector as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connector_review: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connector */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewConnectorRequest"];
            };
        };
        responses: {
            /** @description The tools as they are now; with an error, nothing was accepted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateConnectorResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connector_tools: {
        parameters: {
            query?: {
                /** @description Asks the server now instead of using a list of the last five minutes. */
                fresh?: boolean;
            };
            header?: never;
            path: {
                /** @description The connector */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools, or what failed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateConnectorResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    news: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events without end: `data` is a `NewsEvent` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["NewsEvent"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    fleet_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fleet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    instance_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The instance */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstanceView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    instance_drain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The instance */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The instance as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstanceView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    instance_undrain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The instance */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The instance as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstanceView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grant_request_list: {
        parameters: {
            query?: {
                status?: components["schemas"]["GrantRequestStatus"];
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of grant requests */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_GrantRequestView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grant_request_grant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The grant request */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grant */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grant_request_refuse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The grant request */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefuseGrantRequest"];
            };
        };
        responses: {
            /** @description The grant request as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantRequestView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grant_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of grants */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_GrantView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grant_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGrantRequest"];
            };
        };
        responses: {
            /** @description The grant */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grant_backtest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGrantRequest"];
            };
        };
        responses: {
            /** @description Past calls, judged */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BacktestResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grant_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The grant */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grant_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The grant */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grant as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grant_list_calls: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The grant */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invocations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_InvocationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    installation_check: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallationChecksResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    integration_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of integrations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_IntegrationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    integration_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIntegrationRequest"];
            };
        };
        responses: {
            /** @description The integration, without its token */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    integration_callback: {
        parameters: {
            query?: {
                /** @description The state of the authorization request */
                state?: string;
                /** @description The authorization code; absent if the user declined */
                code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Connected */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description Not an attempt of this browser's, used before, too old, or the service said no */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description Not permitted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The service or the gateway cannot do it now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    integration_connect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectIntegrationRequest"];
            };
        };
        responses: {
            /** @description The authorization URL */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectIntegrationResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    integration_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    integration_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    integration_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateIntegrationRequest"];
            };
        };
        responses: {
            /** @description The integration as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    invitation_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invitations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_InvitationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    invitation_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationRequest"];
            };
        };
        responses: {
            /** @description The invitation */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateInvitationResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    invitation_accept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description Who is logged in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description INVALID_JSON, INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    invitation_inspect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InspectInvitationRequest"];
            };
        };
        responses: {
            /** @description The offer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationOffer"];
                };
            };
            /** @description INVALID_JSON, INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    invitation_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The invitation's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    job_list: {
        parameters: {
            query?: {
                /** @description Only jobs with this status. */
                state?: components["schemas"]["JobState"];
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_JobView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    login_options: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginOptions"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Who is logged in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    device_login_show: {
        parameters: {
            query: {
                /**
                 * @description The code that the terminal shows.
                 * @example BCDF-GHJK
                 */
                code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The login */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLoginView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    device_login_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartDeviceLoginRequest"];
            };
        };
        responses: {
            /** @description The codes */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLoginStarted"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    device_login_decide: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideDeviceLoginRequest"];
            };
        };
        responses: {
            /** @description The login */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLoginView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    device_login_redeem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceTokenRequest"];
            };
        };
        responses: {
            /** @description How it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceTokenResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    login_mail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginMailRequest"];
            };
        };
        responses: {
            /** @description A member with this address receives a mail */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_JSON, INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forgotten; the identity provider is next */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutResponse"];
                };
            };
            /** @description Forgotten */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description FORBIDDEN */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    member_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    member_remove: {
        parameters: {
            query?: {
                /**
                 * @description User id of the admin or owner whom the member's sessions and automations go to. If absent: the caller, or the owner
                 *     who joined first if the caller leaves.
                 */
                successor?: string;
                /**
                 * @description Whether name and address of the user are erased, too. For owners. They stay if the user is a member of another
                 *     organization.
                 */
                erase?: boolean;
            };
            header?: never;
            path: {
                /** @description The member's user id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went to whom */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedMemberView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    member_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member's user id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberRequest"];
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    model_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationRequest"];
            };
        };
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_budget_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budget */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationBudgetView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_budget_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationBudgetRequest"];
            };
        };
        responses: {
            /** @description The budget */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationBudgetView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_deletion_begin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteOrganizationRequest"];
            };
        };
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_deletion_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_limits_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationLimitsView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_limits_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLimitsRequest"];
            };
        };
        responses: {
            /** @description The limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationLimitsView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_sharing_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether they work */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSharingView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_sharing_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationSharingRequest"];
            };
        };
        responses: {
            /** @description Whether they work */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSharingView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationsResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationRequest"];
            };
        };
        responses: {
            /** @description The organization */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOrganization"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_ceiling_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationLimitsView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_ceiling_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLimitsRequest"];
            };
        };
        responses: {
            /** @description The limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationLimitsView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_resume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    organization_suspend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuspendOrganizationRequest"];
            };
        };
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    override_ticket_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tickets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_OverrideTicketView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    override_ticket_open: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenOverrideTicketRequest"];
            };
        };
        responses: {
            /** @description The ticket */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverrideTicketView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    override_ticket_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ticket */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ticket */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverrideTicketView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    override_ticket_approve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ticket */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ticket as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverrideTicketView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    override_ticket_close: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ticket */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ticket as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverrideTicketView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    policy_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    policy_diff: {
        parameters: {
            query: {
                /** @description The old one: an id of `/v1/policy/versions`. */
                from: string;
                /** @description The new one; the policy in force if absent. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What differs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyDiffResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    policy_versions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policies */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyVersionsResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    policy_who_can: {
        parameters: {
            query: {
                /** @description For example `ocr.extract`. */
                tool: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lanes and roles that may call it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoCanResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    policy_why: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhyRequest"];
            };
        };
        responses: {
            /** @description What the policy says */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhyResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recording_chunk_put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run of `dictation.start` that opened the recording */
                id: string;
                /** @description The piece's place, from 0 to 4095 */
                n: number;
            };
            cookie?: never;
        };
        /** @description The bytes, at most 4 MiB */
        requestBody: {
            content: {
                "application/octet-stream": number[];
            };
        };
        responses: {
            /** @description It existed already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingChunkView"];
                };
            };
            /** @description It was stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingChunkView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description ARTIFACT_ALTERED, INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description STORAGE_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    repo_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of repositories */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_RepoView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    repo_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRepoRequest"];
            };
        };
        responses: {
            /** @description The repository */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepoView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    repo_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The repository */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The repository */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepoView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    repo_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The repository */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    repo_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The repository */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRepoRequest"];
            };
        };
        responses: {
            /** @description The repository as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepoView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRunRequest"];
            };
        };
        responses: {
            /** @description The run */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_show: {
        parameters: {
            query?: {
                /** @description Seconds; the response is sent earlier if the run ends earlier. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description The run's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_list_children: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The run's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_RunView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_end: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndRunRequest"];
            };
        };
        responses: {
            /** @description The run as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    safety_lock_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How calls are locked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SafetyLockView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    safety_lock_engage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TurnSafetyLockRequest"];
            };
        };
        responses: {
            /** @description Calls are locked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SafetyLockView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    safety_lock_release: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TurnSafetyLockRequest"];
            };
        };
        responses: {
            /** @description Calls pass again, unless an operator has locked them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SafetyLockView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    secret_list: {
        parameters: {
            query?: {
                /** @description Only secrets of this scope; all scopes if absent. */
                scopeKind?: "organization" | "repo" | "configuration" | "session";
                /** @description Id of the repository, configuration or session; required with any kind but `organization`. */
                scopeId?: string;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SecretView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    secret_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSecretRequest"];
            };
        };
        responses: {
            /** @description The secret, without its value */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    secret_check: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckSecretsRequest"];
            };
        };
        responses: {
            /** @description Each key, in the order asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretCheck"][];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    secret_import: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportSecretsRequest"];
            };
        };
        responses: {
            /** @description The keys, by result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSecretsResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    secret_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The secret */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    secret_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The secret */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSecretRequest"];
            };
        };
        responses: {
            /** @description The secret, without its value */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_list: {
        parameters: {
            query?: {
                status?: components["schemas"]["SessionStatus"];
                sessionType?: components["schemas"]["SessionType"];
                clientType?: components["schemas"]["ClientType"];
                /** @description Only sessions of this configuration. */
                configurationId?: string;
                /** @description Only sessions of this user. */
                createdBy?: string;
                /** @description Only sessions whose title contains this text, ignoring case. */
                search?: string;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SessionSummary"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDetail"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_stop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSessionRequest"];
            };
        };
        responses: {
            /** @description The session as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_budget_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSessionBudgetRequest"];
            };
        };
        responses: {
            /** @description The usage and the budget */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionUsageView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_env_submit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitEnvRequest"];
            };
        };
        responses: {
            /** @description They are there */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitEnvResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INVALID_STATE, LIMIT_REACHED, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_migrate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has begun */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MigrationAccepted"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, INVALID_STATE, WRONG_INSTANCE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UPSTREAM_UNAVAILABLE, COORDINATION_UNAVAILABLE, OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_preview_open: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewTicketRequest"];
            };
        };
        responses: {
            /** @description Where to look */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewTicketView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    share_link_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinksResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    share_link_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateShareLinkRequest"];
            };
        };
        responses: {
            /** @description The link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedShareLink"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    share_link_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
                /** @description The link */
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_sharing_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who sees it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionSharingView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_sharing_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSessionSharingRequest"];
            };
        };
        responses: {
            /** @description Who sees it now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionSharingView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_snapshots: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshots */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotsResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tool_callback_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ToolInvocationView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_usage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionUsageView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetupRequest"];
            };
        };
        responses: {
            /** @description Who is logged in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description EXPIRED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setup_inspect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InspectSetupRequest"];
            };
        };
        responses: {
            /** @description Whether it can be used */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupLinkView"];
                };
            };
            /** @description INVALID_JSON, INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    shared_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadSharedRequest"];
            };
        };
        responses: {
            /** @description A page of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedTranscript"];
                };
            };
            /** @description INVALID_JSON, INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tool_call: {
        parameters: {
            query?: {
                /** @description Seconds; the response is sent earlier if the run ends earlier. */
                wait?: number;
            };
            header?: {
                /** @description Makes a retry safe */
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolCallRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallAnswer"];
                };
            };
            /** @description Allowed and under way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallAnswer"];
                };
            };
            /** @description Not a call this tool takes; or the query or a header is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallAnswer"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The tool failed */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallAnswer"];
                };
            };
            /** @description A dependency of the tool is unavailable; or the gateway is busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallAnswer"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The tool did not end in time */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallAnswer"];
                };
            };
        };
    };
    webhook_list: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_WebhookView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhook_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook and its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookResponse"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhook_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhook_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhook_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            /** @description INVALID_REQUEST, INVALID_JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description BODY_TOO_SLOW */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT, LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhook_delivery_list: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many entries at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_WebhookDeliveryView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhook_delivery_redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook */
                id: string;
                /** @description The delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, to be sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryView"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhook_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook and its new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateWebhookSecretResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhook_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, accepted or not */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookResponse"];
                };
            };
            /** @description INVALID_REQUEST */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description UNAUTHENTICATED, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description FORBIDDEN, ORGANIZATION_SUSPENDED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description OVERLOADED, DATABASE_UNAVAILABLE, REQUEST_TIMEOUT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
