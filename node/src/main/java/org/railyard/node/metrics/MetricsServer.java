package org.railyard.node.metrics;

import com.sun.net.httpserver.HttpExchange;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.railyard.base.ErrnoException;
import org.railyard.control.DlcException;
import org.railyard.control.TargetOperation;
import org.railyard.control.node.NodeDlc;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.node.o2ib.O2ibFigures;

/** The pages of lnetd: beside those of all programs {@code /probe?target=NID}, which pings. Only reads. */
public final class MetricsServer implements AutoCloseable {
    private final MetricsPages pages;
    private final NodeDlc dlc;

    private MetricsServer(MetricsPages pages, NodeDlc dlc) {
        this.pages = pages;
        this.dlc = dlc;
    }

    /**
     * Starts to listen.
     *
     * @param where port, or address and port: {@code 9500} stands for {@code 127.0.0.1:9500}; port 0 for any free one
     * @param o2ib tells of the InfiniBand transport whenever it is asked
     * @throws ErrnoException EINVAL if that can not be read
     * @throws IOException if it can not listen there
     */
    public static MetricsServer start(String where, NodeDlc dlc, Supplier<O2ibFigures> o2ib) throws IOException {
        MetricsPages pages = MetricsPages.open(
                where,
                "lnetd",
                "LNet is configured and an NI is up",
                () -> NodeMetrics.of(dlc.lnet(), o2ib.get()),
                () -> Health.of(dlc.lnet()));
        MetricsServer made = new MetricsServer(pages, dlc);
        pages.page("/probe", "/probe?target=NID: pings a node", made::probe);
        pages.begin();
        return made;
    }

    private void probe(HttpExchange exchange) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        String target = "";
        for (String each : query.split("&")) {
            if (each.startsWith("target=")) {
                target = each.substring("target=".length());
            }
        }
        if (target.isEmpty()) {
            MetricsPages.answer(exchange, MetricsPages.BAD_REQUEST, "which target is missing: /probe?target=NID\n");
            return;
        }
        try {
            Nid.parse(target);
        } catch (NidFormatException e) {
            MetricsPages.answer(exchange, MetricsPages.BAD_REQUEST, "target: " + e.getMessage() + "\n");
            return;
        }
        pages.answer(exchange, probe(target));
    }

    private MetricSnapshots probe(String target) {
        long begin = System.nanoTime();
        boolean success;
        try {
            Map<String, Object> answer = dlc.execute(new TargetOperation.Ping(List.of(target), null, null, true));
            success = !answer.containsKey("manage");
        } catch (DlcException e) {
            success = false;
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        return NodeMetrics.probe(success, seconds);
    }

    /** Returns the port. */
    public int port() {
        return pages.port();
    }

    /** Stops to listen. */
    @Override
    public void close() {
        pages.close();
    }
}
