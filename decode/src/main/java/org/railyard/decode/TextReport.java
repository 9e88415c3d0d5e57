package org.railyard.decode;

import java.io.PrintWriter;
import java.util.Locale;
import org.railyard.decode.tcp.TcpConnection;

/** A decoded capture as text: a table of connections, then one line per element. */
final class TextReport {
    private static final String PING_INFO_INDENT = " ".repeat(60);
    private static final String CONNECTIONS = "# connections (initiator > acceptor):";
    private static final String SKIPPED = "# connections to other ports, skipped: ";
    private static final String COLUMNS =
            "# time(s)  conn dir  element      (dir > = from the connection initiator, < = from the acceptor side)";

    private TextReport() {}

    static void print(CaptureDecoder.Result result, PrintWriter out) {
        out.println(CONNECTIONS);
        result.connections().forEach(connection -> out.println(connection(connection)));
        if (result.skippedConnections() > 0) {
            out.println(SKIPPED + result.skippedConnections());
        }
        out.println(COLUMNS);
        result.elements().forEach(element -> print(element, result.startTime(), out));
    }

    private static String connection(TcpConnection connection) {
        return "#   c" + connection.number() + ": " + connection.initiator() + " > " + connection.acceptor()
                + (connection.complete() ? "" : " (the capture starts in the middle of it)");
    }

    private static void print(Element element, long startTime, PrintWriter out) {
        out.println(line(element, startTime));
        if (element.body() instanceof Element.Message message) {
            String ping = ElementText.pingInfo(message);
            if (ping != null) {
                out.println(PING_INFO_INDENT + ping);
            }
        }
    }

    /** A stream as text while it comes: a connection is told when it is first seen, an element when it is complete. */
    static final class Running implements StreamReport {
        private final PrintWriter out;
        private long startTime;

        Running(PrintWriter out) {
            this.out = out;
        }

        @Override
        public void started(long time) {
            startTime = time;
            out.println(COLUMNS);
            out.flush();
        }

        @Override
        public void opened(TcpConnection connection) {
            out.println(connection(connection));
        }

        @Override
        public void element(Element element) {
            print(element, startTime, out);
            out.flush();
        }

        @Override
        public void end(CaptureDecoder.Totals totals, long problems) {
            if (totals.skippedConnections() > 0) {
                out.println(SKIPPED + totals.skippedConnections());
            }
            out.flush();
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
