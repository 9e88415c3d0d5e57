package org.railyard.cli.decode;

import java.io.PrintWriter;
import java.util.Locale;
import org.railyard.cli.decode.tcp.TcpConnection;

/** A decoded capture as text: a table of connections, then one line per element. */
final class TextReport {
    private static final String PING_INFO_INDENT = " ".repeat(60);

    private TextReport() {}

    static void print(CaptureDecoder.Result result, PrintWriter out) {
        out.println("# connections (initiator > acceptor):");
        for (TcpConnection connection : result.connections()) {
            out.println("#   c" + connection.number() + ": " + connection.initiator() + " > " + connection.acceptor()
                    + (connection.complete() ? "" : " (the capture starts in the middle of it)"));
        }
        if (result.skippedConnections() > 0) {
            out.println("# connections to other ports, skipped: " + result.skippedConnections());
        }
        out.println("# time(s)  conn dir  element      (dir > = from the connection initiator, < = from the acceptor"
                + " side)");
        for (Element element : result.elements()) {
            out.println(line(element, result.startTime()));
            if (element.body() instanceof Element.Message message) {
                String ping = ElementText.pingInfo(message);
                if (ping != null) {
                    out.println(PING_INFO_INDENT + ping);
                }
            }
        }
    }

    private static String line(Element element, long startTime) {
        return String.format(
                Locale.ROOT,
                "%10s c%-3d%s %s",
                seconds(element.time() - startTime),
                element.connection(),
                element.fromInitiator() ? ">" : "<",
                ElementText.of(element));
    }

    /** Returns nanoseconds as seconds with six decimals, cut. */
    static String seconds(long nanos) {
        long micros = Math.abs(nanos / 1000);
        return (nanos <= -1000 ? "-" : "")
                + String.format(Locale.ROOT, "%d.%06d", micros / 1_000_000, micros % 1_000_000);
    }
}
