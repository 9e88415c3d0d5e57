package org.railyard.decode;

import java.io.PrintWriter;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.decode.Element.Checksum;
import org.railyard.decode.tcp.TcpConnection;
import org.railyard.decode.tcp.TcpEndpoint;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * A decoded capture as one YAML document. Times are in seconds from the first packet; bit fields and handles are
 * hexadecimal strings, everything that counts is a number.
 */
final class YamlReport {
    private YamlReport() {}

    static void print(CaptureDecoder.Result result, long problems, PrintWriter out) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("packets", result.packets());
        document.put("problems", problems);
        document.put("skipped_connections", result.skippedConnections());
        document.put(
                "connections",
                result.connections().stream().map(YamlReport::connection).toList());
        document.put("elements", lazily(result));
        dump(document, out);
    }

    private static void dump(Object document, PrintWriter out) {
        DumpSettings settings =
                DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
        new Dump(settings).dump(document, new StreamDataWriter() {
            @Override
            public void write(String text) {
                out.write(text);
            }

            @Override
            public void write(String text, int offset, int length) {
                out.write(text, offset, length);
            }
        });
    }

    /** A stream as one document while it comes: elements first, what is known at the end behind them. */
    static final class Running implements StreamReport {
        private final PrintWriter out;
        private final List<TcpConnection> connections = new ArrayList<>();
        private long startTime;
        private boolean begun;

        Running(PrintWriter out) {
            this.out = out;
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
            if (!begun) {
                begun = true;
                out.println("elements:");
            }
            dump(List.of(YamlReport.element(element, startTime)), out);
            out.flush();
        }

        @Override
        public void end(CaptureDecoder.Totals totals, long problems) {
            Map<String, Object> document = new LinkedHashMap<>();
            if (!begun) {
                document.put("elements", List.of());
            }
            document.put("packets", totals.packets());
            document.put("problems", problems);
            document.put("skipped_connections", totals.skippedConnections());
            document.put(
                    "connections",
                    connections.stream().map(YamlReport::connection).toList());
            dump(document, out);
            out.flush();
        }
    }

    /** Makes each element's map when it is asked for, so that there are not all of them at the same time. */
    private static List<Map<String, Object>> lazily(CaptureDecoder.Result result) {
        return new AbstractList<>() {
            @Override
            public Map<String, Object> get(int index) {
                return element(result.elements().get(index), result.startTime());
            }

            @Override
            public int size() {
                return result.elements().size();
            }
        };
    }

    static Map<String, Object> connection(TcpConnection connection) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("number", connection.number());
        map.put("initiator", endpoint(connection.initiator()));
        map.put("acceptor", endpoint(connection.acceptor()));
        map.put("complete", connection.complete());
        return map;
    }

    private static Map<String, Object> endpoint(TcpEndpoint endpoint) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("address", endpoint.address().toString());
        map.put("port", endpoint.port());
        return map;
    }

    /** Returns an element as a document, as it is in JSON, too. */
    static Map<String, Object> element(Element element, long startTime) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("time", Double.parseDouble(TextReport.seconds(element.time() - startTime)));
        map.put("connection", element.connection());
        map.put("from", element.fromInitiator() ? "initiator" : "acceptor");
        if (element.offset() >= 0) {
            map.put("stream_offset", element.offset());
        }
        switch (element.body()) {
            case Element.Tcp tcp -> map.put("element", "TCP_" + tcp.flag());
            case Element.Request(ConnectionRequest request) -> putRequest(map, request);
            case Element.Greeting(Hello hello) -> putHello(map, hello);
            case Element.Noop noop -> {
                map.put("element", "NOOP");
                putFrame(map, noop.frame(), noop.checksum());
            }
            case Element.Message message -> putMessage(map, message);
            case Element.Undecodable(String reason, String raw) -> {
                map.put("element", "UNDECODABLE");
                map.put("reason", reason);
                map.put("raw", raw);
            }
            case Element.Gap(long length) -> {
                map.put("element", "GAP");
                map.put("length", length);
            }
            case Element.Resumed(long passedOver) -> {
                map.put("element", "RESUMED");
                map.put("passed_over", passedOver);
            }
        }
        return map;
    }

    private static void putRequest(Map<String, Object> map, ConnectionRequest request) {
        map.put("element", request.isRefusal() ? "ACCEPTOR_REFUSAL" : "ACCEPTOR_REQ");
        map.put("version", request.version());
        putOrder(map, request.order());
        if (!request.isRefusal()) {
            map.put("nid", request.nid().toString());
        }
    }

    private static void putHello(Map<String, Object> map, Hello hello) {
        map.put("element", "HELLO");
        map.put("version", hello.version().number());
        putOrder(map, hello.order());
        map.put("src_nid", hello.srcNid().toString());
        map.put("src_pid", Integer.toUnsignedLong(hello.srcPid()));
        map.put("src_incarnation", unsigned(hello.srcIncarnation()));
        map.put("dst_pid", Integer.toUnsignedLong(hello.dstPid()));
        if (hello.version() != ProtocolVersion.V1) {
            map.put("dst_nid", hello.dstNid().toString());
            map.put("dst_incarnation", unsigned(hello.dstIncarnation()));
        }
        map.put("ctype", Integer.toUnsignedLong(hello.typeNumber()));
        map.put("ctype_name", ElementText.typeName(hello));
        map.put("nips", hello.ips().size());
    }

    private static void putOrder(Map<String, Object> map, ByteOrder order) {
        if (order == ByteOrder.BIG_ENDIAN) {
            map.put("byte_order", "big-endian");
        }
    }

    private static void putMessage(Map<String, Object> map, Element.Message message) {
        LNetHeader header = message.header();
        map.put("element", "LNET");
        map.put("type", header.type().name());
        map.put("src_nid", header.srcNid().toString());
        map.put("src_pid", Integer.toUnsignedLong(header.srcPid()));
        map.put("dest_nid", header.destNid().toString());
        map.put("dest_pid", Integer.toUnsignedLong(header.destPid()));
        map.put("payload_length", Integer.toUnsignedLong(header.payloadLength()));
        map.put("payload_captured", message.payload());
        switch (header.type()) {
            case ACK -> {
                map.put("dst_wmd", ElementText.handle(header));
                map.put("match_bits", ElementText.hex(header.matchBits()));
                map.put("mlength", Integer.toUnsignedLong(header.mlength()));
            }
            case PUT -> {
                map.put("ack_wmd", ElementText.handle(header));
                map.put("match_bits", ElementText.hex(header.matchBits()));
                map.put("hdr_data", ElementText.hex(header.hdrData()));
                map.put("ptl_index", Integer.toUnsignedLong(header.portal()));
                map.put("offset", Integer.toUnsignedLong(header.offset()));
            }
            case GET -> {
                map.put("return_wmd", ElementText.handle(header));
                map.put("match_bits", ElementText.hex(header.matchBits()));
                map.put("ptl_index", Integer.toUnsignedLong(header.portal()));
                map.put("src_offset", Integer.toUnsignedLong(header.offset()));
                map.put("sink_length", Integer.toUnsignedLong(header.sinkLength()));
            }
            case REPLY -> map.put("dst_wmd", ElementText.handle(header));
            case HELLO -> {}
        }
        if (message.frame() != null) {
            putFrame(map, message.frame(), message.checksum());
        }
        putPingInfo(map, message.ping(), message.pingFlaw());
    }

    private static void putFrame(Map<String, Object> map, FrameHeader frame, Checksum checksum) {
        map.put("cookie0", unsigned(frame.cookie0()));
        map.put("cookie1", unsigned(frame.cookie1()));
        if (checksum.state() != Checksum.State.NONE) {
            map.put("checksum", String.format(Locale.ROOT, "0x%08x", frame.checksum()));
            map.put("checksum_state", checksum.state().name().toLowerCase(Locale.ROOT));
        }
    }

    private static void putPingInfo(Map<String, Object> map, @Nullable PingInfo info, @Nullable String flaw) {
        if (flaw != null) {
            map.put("ping_info_undecodable", flaw);
        }
        if (info == null) {
            return;
        }
        Map<String, Object> ping = new LinkedHashMap<>();
        putOrder(ping, info.byteOrder());
        ping.put("features", "0x" + Integer.toHexString(info.features()));
        ping.put("feature_names", ElementText.features(info.features()));
        ping.put("pid", Integer.toUnsignedLong(info.pid()));
        ping.put("nnis", info.announcedInterfaces());
        ping.put("sequence", Integer.toUnsignedLong(info.sequence()));
        ping.put("bytes", info.announcedBytes());
        ping.put("truncated", info.isTruncated());
        ping.put("entries", info.entries().stream().map(YamlReport::entry).toList());
        map.put("ping_info", ping);
    }

    private static Map<String, Object> entry(PingInfo.Entry entry) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("nid", entry.nid().toString());
        map.put("status", ElementText.status(entry.status()));
        return map;
    }

    private static Object unsigned(long value) {
        return value >= 0 ? value : new BigInteger(Long.toUnsignedString(value));
    }
}
