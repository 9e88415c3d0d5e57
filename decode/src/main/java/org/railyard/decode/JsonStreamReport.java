package org.railyard.decode;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.text.JsonText;
import org.railyard.decode.tcp.TcpConnection;

/**
 * A decoded capture as one JSON document, with the keys of {@link YamlReport}: the elements first, one to a line, so
 * that they can be written as they come, then what is known at the end.
 */
final class JsonStreamReport implements StreamReport {
    private final PrintWriter out;
    private final List<TcpConnection> connections = new ArrayList<>();
    private long startTime;
    private boolean first = true;

    JsonStreamReport(PrintWriter out) {
        this.out = out;
    }

    static void print(CaptureDecoder.Result result, long problems, PrintWriter out) {
        JsonStreamReport report = new JsonStreamReport(out);
        report.started(result.startTime());
        result.connections().forEach(report::opened);
        result.elements().forEach(report::element);
        report.end(new CaptureDecoder.Totals(result.packets(), result.skippedConnections()), problems);
    }

    @Override
    public void started(long time) {
        startTime = time;
    }

    @Override
    public void opened(TcpConnection connection) {
        connections.add(connection);
    }

    @Override
    public void element(Element element) {
        out.println(first ? "{\"elements\":[" : ",");
        first = false;
        out.print(JsonText.of(YamlReport.element(element, startTime)));
        out.flush();
    }

    @Override
    public void end(CaptureDecoder.Totals totals, long problems) {
        out.println(first ? "{\"elements\":[" : "");
        out.println("],\"packets\":" + totals.packets() + ",\"problems\":" + problems + ",\"skipped_connections\":"
                + totals.skippedConnections() + ",\"connections\":"
                + JsonText.of(connections.stream().map(YamlReport::connection).toList()) + "}");
        out.flush();
    }
}
