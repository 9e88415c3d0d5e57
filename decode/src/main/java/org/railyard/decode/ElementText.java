package org.railyard.decode;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.decode.Element.Checksum;
import org.railyard.decode.tcp.ConnectionListener;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.socklnd.wire.ZeroCopyAck;

/** Elements as one line of text each. */
final class ElementText {
    private static final List<String> FEATURES = List.of(
            "BASE", "NI_STATUS", "RTE_DISABLED", "MULTI_RAIL", "DISCOVERY", "LARGE_ADDR", "PRIMARY_LARGE", "METADATA");

    private ElementText() {}

    /** Returns what an element is, without time and connection. */
    static String of(Element element) {
        return switch (element.body()) {
            case Element.Tcp(ConnectionListener.Flag flag) ->
                flag == ConnectionListener.Flag.SYN_AGAIN ? "TCP SYN (retransmission)" : "TCP " + flag;
            case Element.Request(ConnectionRequest request) -> request(request);
            case Element.Greeting(Hello hello) -> hello(hello);
            case Element.Noop noop ->
                "NOOP" + cookies(noop.frame()) + noopMeaning(noop) + checksum(noop.frame(), noop.checksum());
            case Element.Message message -> message(message);
            case Element.Undecodable(String reason, String raw) ->
                (raw.isEmpty() ? "" : "raw " + raw + " ") + "undecodable at stream offset " + element.offset() + ": "
                        + reason;
            case Element.Gap(long length) -> "GAP of " + length + " bytes at stream offset " + element.offset();
            case Element.Resumed(long passedOver) ->
                "RESUMED at stream offset " + element.offset() + ", " + passedOver + " bytes passed over";
        };
    }

    private static String request(ConnectionRequest request) {
        return (request.isRefusal() ? "ACCEPTOR_REFUSAL v" : "ACCEPTOR_REQ v")
                + request.version()
                + order(request.order())
                + (request.isRefusal() ? "" : " nid=" + request.nid());
    }

    private static String hello(Hello hello) {
        String ctype = Integer.toUnsignedString(hello.typeNumber()) + "(" + typeName(hello) + ")";
        String head = "HELLO v" + hello.version().number() + order(hello.order()) + " src="
                + process(hello.srcNid(), hello.srcPid());
        if (hello.version() == ProtocolVersion.V1) {
            return head + " dst_pid=" + pid(hello.dstPid()) + " src_inc="
                    + Long.toUnsignedString(hello.srcIncarnation()) + " ctype=" + ctype + " nips="
                    + hello.ips().size();
        }
        return head + " dst=" + process(hello.dstNid(), hello.dstPid()) + " src_inc="
                + Long.toUnsignedString(hello.srcIncarnation()) + " dst_inc="
                + Long.toUnsignedString(hello.dstIncarnation()) + " ctype=" + ctype + " nips="
                + hello.ips().size();
    }

    /** Returns the name of a HELLO's connection type, or {@code ?}. */
    static String typeName(Hello hello) {
        ConnectionType type = hello.type();
        return type == null ? "?" : type.name();
    }

    private static String order(ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? " big-endian" : "";
    }

    private static String message(Element.Message message) {
        LNetHeader header = message.header();
        long length = Integer.toUnsignedLong(header.payloadLength());
        String fields = switch (header.type()) {
            case ACK ->
                " dst_wmd=" + handle(header) + " match=" + hex(header.matchBits()) + " mlength="
                        + u32(header.mlength());
            case PUT ->
                " ptl=" + u32(header.portal()) + " match=" + hex(header.matchBits()) + " hdr_data="
                        + hex(header.hdrData()) + " off=" + u32(header.offset()) + " ack_wmd=" + handle(header);
            case GET ->
                " ptl=" + u32(header.portal()) + " match=" + hex(header.matchBits()) + " off=" + u32(header.offset())
                        + " sink_len=" + u32(header.sinkLength()) + " return_wmd=" + handle(header);
            case REPLY -> " dst_wmd=" + handle(header);
            case HELLO -> "";
        };
        FrameHeader frame = message.frame();
        String cookies = frame == null || (frame.cookie0() == 0 && frame.cookie1() == 0) ? "" : cookies(frame);
        return "LNET " + header.type() + " " + process(header.srcNid(), header.srcPid()) + " -> "
                + process(header.destNid(), header.destPid()) + " len=" + length + fields
                + cookies
                + checksum(frame, message.checksum())
                + (message.payload() < length ? " (captured " + message.payload() + ")" : "");
    }

    private static String cookies(FrameHeader frame) {
        return " zc=(" + Long.toUnsignedString(frame.cookie0()) + "," + Long.toUnsignedString(frame.cookie1()) + ")";
    }

    private static String noopMeaning(Element.Noop noop) {
        ZeroCopyAck ack = ZeroCopyAck.of(noop.frame(), noop.version());
        return switch (ack.kind()) {
            case NONE -> "";
            case KEEPALIVE -> " KEEPALIVE";
            case SINGLE -> " ACK " + Long.toUnsignedString(ack.first());
            case PAIR -> " ACK " + Long.toUnsignedString(ack.first()) + " and " + Long.toUnsignedString(ack.last());
            case RANGE -> " ACK " + Long.toUnsignedString(ack.first()) + " to " + Long.toUnsignedString(ack.last());
        };
    }

    private static String checksum(@Nullable FrameHeader frame, Checksum checksum) {
        if (frame == null || checksum.state() == Checksum.State.NONE) {
            return "";
        }
        String found = String.format(Locale.ROOT, " csum=0x%08x", frame.checksum());
        return found
                + switch (checksum.state()) {
                    case RIGHT -> "(ok)";
                    case WRONG -> String.format(Locale.ROOT, "(expected 0x%08x)", checksum.computed());
                    case UNKNOWN, NONE -> "(unchecked)";
                };
    }

    /** Returns the line that goes below a message with a ping info, or null if it has none. */
    static @Nullable String pingInfo(Element.Message message) {
        if (message.pingFlaw() != null) {
            return "PINGINFO undecodable: " + message.pingFlaw();
        }
        PingInfo info = message.ping();
        if (info == null) {
            return null;
        }
        String first = "0@lo seqno=" + u32(info.sequence())
                + (info.hasFeature(PingInfo.LARGE_ADDR) ? " msg_size=" + info.announcedBytes() : "");
        String entries = Stream.concat(
                        Stream.of(first), info.entries().stream().map(e -> e.nid() + " " + status(e.status())))
                .collect(Collectors.joining("; ", "[", "]"));
        return "PINGINFO magic=" + Integer.toHexString(PingInfo.MAGIC) + order(info.byteOrder()) + " features=0x"
                + Integer.toHexString(info.features()) + "("
                + String.join("|", features(info.features())) + ") pid=" + pid(info.pid()) + " nnis="
                + info.announcedInterfaces() + " " + entries
                + (info.isTruncated() ? " (cut short, the whole has " + info.announcedBytes() + " bytes)" : "");
    }

    /** Returns the names of feature bits; unknown ones as one hexadecimal number. */
    static List<String> features(int bits) {
        Stream<String> named = Stream.iterate(0, i -> i < FEATURES.size(), i -> i + 1)
                .filter(i -> (bits >>> i & 1) != 0)
                .map(FEATURES::get);
        int unknown = bits >>> FEATURES.size() << FEATURES.size();
        return Stream.concat(named, unknown == 0 ? Stream.empty() : Stream.of("0x" + Integer.toHexString(unknown)))
                .toList();
    }

    /** Returns the name of an NI status, or its number. */
    static String status(int status) {
        return switch (status) {
            case PingInfo.STATUS_UP -> "UP";
            case PingInfo.STATUS_DOWN -> "DOWN";
            case PingInfo.STATUS_INVALID -> "INVALID";
            default -> String.format(Locale.ROOT, "0x%08x", status);
        };
    }

    /** Returns a wire handle as two hexadecimal numbers. */
    static String handle(LNetHeader header) {
        return String.format(Locale.ROOT, "%016x.%016x", header.interfaceCookie(), header.objectCookie());
    }

    /** Returns 64 bits as a hexadecimal number. */
    static String hex(long bits) {
        return "0x" + Long.toHexString(bits);
    }

    /** Returns a NID and a process id, the NID first. */
    static String process(Nid nid, int pid) {
        return nid + "/" + pid(pid);
    }

    private static String pid(int pid) {
        return (pid & ProcessId.USER_FLAG) != 0 ? "0x" + Integer.toHexString(pid) : Integer.toString(pid);
    }

    private static String u32(int value) {
        return Integer.toUnsignedString(value);
    }
}
