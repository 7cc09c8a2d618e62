/// The pages for a link that does not work, and the page that redirects a browser to a link.
enum LoginPage {
    /// A file that redirects a browser to the link. Only the user can read it, while everybody on the machine sees the
    /// arguments of a program.
    static func opening(_ url: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="referrer" content="no-referrer">
        <meta http-equiv="refresh" content="0; url=\(url)">
        <title>Opening the dashboard</title>
        <p><a href="\(url)">Open the dashboard</a></p>
        </html>

        """
    }

    package static let refused = page(
        "This link no longer works",
        """
        <p>A link to the dashboard works once, for 60 seconds. This one was used already or has expired.</p>
        <p>For a new one, type this in a terminal:</p>
        <pre>kachat-node dashboard</pre>
        <p>If you did not use it yourself, somebody else on this machine may have. List the signed-in browsers, and
        revoke any that you do not know:</p>
        <pre>kachat-node token list
        kachat-node token revoke ID</pre>
        """)

    static let notYet = page(
        "Open this link in a browser window",
        "<p>The link works once, so a prefetch does not use it up.</p>")

    private static func page(_ title: String, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <link rel="icon" href="/dashboard/icon.svg">
        <link rel="stylesheet" href="/dashboard/base.css">
        <main class="notice">
        <h1>\(title)</h1>
        \(body)
        </main>
        </html>

        """
    }
}
