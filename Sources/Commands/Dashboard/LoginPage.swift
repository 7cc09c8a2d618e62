/// What a browser sees instead of the dashboard where a link does not let it in, and the page that takes it there.
enum LoginPage {
    /// A file that takes the browser to the link: the user alone can read it, whereas everybody on the machine sees the
    /// words that a program is started with.
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
        "This link does not work any more",
        """
        <p>A link to the dashboard works once, and for 60 seconds. This one was used already, or it is too old.</p>
        <p>For a new one, type this in a terminal:</p>
        <pre>kachat-node dashboard</pre>
        <p>Did you not use it yourself? Then somebody else on this machine may have. See who is signed in, and sign out
        whom you do not know:</p>
        <pre>kachat-node token list
        kachat-node token revoke ID</pre>
        """)

    static let notYet = page(
        "Open this link in the browser's window",
        "<p>It works once, so it is not used up by looking ahead.</p>")

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
