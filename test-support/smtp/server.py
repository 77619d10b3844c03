"""A real SMTP server for tests (aiosmtpd): stores each mail it accepts as a file, with encryption and authentication.

server.py PORT FOLDER none|starttls|tls [CERTIFICATE KEY]

Recipients whose names begin with "unknown" are rejected for ever, those that begin with "busy" for now. With encryption,
only the user "gateway" with the password "hush" may send.
"""

import asyncio
import json
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


class Folder:
    def __init__(self, path):
        self.path = path
        self.count = 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("unknown"):
            return "550 5.1.1 no such mailbox: " + address
        if address.startswith("busy"):
            return "451 4.3.0 try again: " + address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "text": envelope.content.decode("utf-8"),
            "encrypted": session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None,
            "authenticated": bool(session.authenticated),
        }
        self.count += 1
        name = os.path.join(self.path, f"{self.count:04}")
        with open(name + ".part", "w") as file:
            json.dump(mail, file)
        os.rename(name + ".part", name + ".json")
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    if not isinstance(data, LoginPassword):
        return AuthResult(success=False, handled=False)
    return AuthResult(success=(data.login, data.password) == (b"gateway", b"hush"))


async def main():
    port, folder, encryption, *files = sys.argv[1:]
    handler = Folder(folder)
    context = None
    if encryption != "none":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*files)
    starttls = encryption == "starttls"

    def factory():
        return SMTP(
            handler,
            hostname="smtp.test",
            tls_context=context if starttls else None,
            require_starttls=starttls,
            authenticator=authenticate if context else None,
            auth_required=context is not None,
            auth_require_tls=starttls,
        )

    loop = asyncio.get_running_loop()
    outer = context if encryption == "tls" else None
    server = await loop.create_server(factory, "127.0.0.1", int(port), ssl=outer)
    async with server:
        await server.serve_forever()


asyncio.run(main())
