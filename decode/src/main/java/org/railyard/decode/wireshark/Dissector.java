package org.railyard.decode.wireshark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.o2iblnd.wire.AdvertisedAddresses;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibHeader;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.Packing;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.o2iblnd.wire.RejectRecord;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.Magic;

/**
 * A dissector of LNet for Wireshark and tshark, in Lua: socklnd over TCP, o2iblnd over InfiniBand and RoCEv2.
 *
 * <p>Where fields are, and what numbers mean, is written from the layouts and enumerations with which messages are read
 * and sent; how they follow one another is in {@code dissect.lua} beside this class.
 */
public final class Dissector {
    private static final String LOGIC = "dissect.lua";

    private static final List<LuaStructure> STRUCTURES = List.of(
            new LuaStructure("request_v1", "request", ConnectionRequest.V1),
            new LuaStructure("request_v2", "request", ConnectionRequest.V2),
            new LuaStructure("hello_v1", "hello", Hello.V1),
            new LuaStructure("hello_v2", "hello", Hello.V2),
            new LuaStructure("hello_v4", "hello", Hello.V4),
            new LuaStructure("frame", "frame", FrameHeader.LAYOUT),
            new LuaStructure("header_nid4", "message", LNetHeader.NID4),
            new LuaStructure("header_large", "message", LNetHeader.LARGE),
            new LuaStructure("ack", "message", LNetHeader.ACK_BODY),
            new LuaStructure("put", "message", LNetHeader.PUT_BODY),
            new LuaStructure("get", "message", LNetHeader.GET_BODY),
            new LuaStructure("ping", "ping", PingInfo.HEADER),
            new LuaStructure("ping_entry", "ping.entry", PingInfo.NID4_ENTRY),
            new LuaStructure("ping_large_entry", "ping.entry", PingInfo.LARGE_ENTRY_HEAD),
            new LuaStructure("kib", "kib", KibHeader.LAYOUT),
            new LuaStructure("kib_parameters", "kib.parameters", ConnectionParameters.LAYOUT),
            new LuaStructure("kib_cookie", "kib", KibMessage.COOKIE),
            new LuaStructure("kib_cookies", "kib", KibMessage.COOKIES),
            new LuaStructure("kib_completion", "kib", KibMessage.COMPLETION),
            new LuaStructure("kib_descriptor", "kib.descriptor", RdmaDescriptor.HEAD),
            new LuaStructure("kib_fragment", "kib.fragment", RdmaDescriptor.FRAGMENT),
            new LuaStructure("kib_reject", "kib.reject", RejectRecord.LAYOUT),
            new LuaStructure("kib_addresses", "kib.addresses", AdvertisedAddresses.LAYOUT));

    private Dissector() {}

    /** Returns the dissector: one file, to be put into Wireshark's folder for plugins. */
    public static String text() {
        StringBuilder out = new StringBuilder();
        out.append("-- LNet for Wireshark, written by \"railyard decode --dissector\".\n");
        out.append("local C = {}\n");
        constants()
                .forEach((name, value) -> out.append("C.")
                        .append(name)
                        .append(" = ")
                        .append(value)
                        .append('\n'));
        out.append("local N = {}\n");
        names().forEach((name, values) -> appendNames(out, name, values));
        out.append("local S = {}\n");
        STRUCTURES.forEach(structure -> structure.append(out));
        return out.append(logic()).toString();
    }

    private static Map<String, Object> constants() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("MAGIC_ACCEPTOR", word(Magic.ACCEPTOR));
        all.put("MAGIC_LNET", word(Magic.LNET));
        all.put("MAGIC_TCP", word(Magic.TCP));
        all.put("MAX_IPS", Hello.MAX_IPS);
        all.put("NOOP", FrameHeader.NOOP);
        all.put("LNET", FrameHeader.LNET);
        all.put("MTU", Wire.MTU);
        all.put("LUSTRE_PID", ProcessId.LUSTRE_PID);
        all.put("MAGIC_PING", word(PingInfo.MAGIC));
        all.put("PING_PORTAL", Wire.RESERVED_PORTAL);
        all.put("PING_MATCH_BITS", "UInt64.fromhex(\"" + Long.toHexString(Wire.PING_MATCH_BITS) + "\")");
        all.put("PING_LARGE_ADDR", PingInfo.LARGE_ADDR);
        all.put("MAX_INTERFACES", PingInfo.MAX_INTERFACES);
        all.put("MAX_NID_SIZE", Nid.MAX_SIZE);
        all.put("ANY_NID", "\"" + Nid.ANY + "\"");
        all.put("MAGIC_KIB", word(Kib.MAGIC));
        all.put("KIB_V1", Kib.V1);
        all.put("KIB_V2", Kib.V2);
        all.put("KIB_MAX_FRAGMENTS", Kib.MAX_FRAGMENTS);
        all.put("KIB_ADVERTISED", word(AdvertisedAddresses.MARKER));
        all.put("KIB_MAX_ADVERTISED", AdvertisedAddresses.MAX);
        all.put("KIB_ALIGNMENT", Packing.ALIGNMENT);
        return all;
    }

    private static String word(int value) {
        return "0x" + Integer.toHexString(value);
    }

    private static Map<String, Map<Long, String>> names() {
        Map<String, Map<Long, String>> all = new LinkedHashMap<>();
        all.put("message_type", table(MessageType.values(), MessageType::number, MessageType::name));
        all.put("connection_type", table(ConnectionType.values(), ConnectionType::number, ConnectionType::name));
        all.put("frame_type", new TreeMap<>(Map.of((long) FrameHeader.NOOP, "NOOP", (long) FrameHeader.LNET, "LNET")));
        all.put(
                "status",
                new TreeMap<>(Map.of(
                        Integer.toUnsignedLong(PingInfo.STATUS_UP), "UP",
                        Integer.toUnsignedLong(PingInfo.STATUS_DOWN), "DOWN",
                        Integer.toUnsignedLong(PingInfo.STATUS_INVALID), "INVALID")));
        all.put("kib_type", table(KibType.values(), KibType::code, KibType::name));
        all.put("kib_bytes", table(KibType.values(), KibType::code, type -> String.valueOf(type.minBytes())));
        all.put("reject_reason", table(RejectReason.values(), RejectReason::code, RejectReason::name));
        all.put("net", table(NetType.values(), NetType::number, NetType::text));
        all.put(
                "address_form",
                table(
                        NetType.values(),
                        NetType::number,
                        type -> type.addressForm().name()));
        return all;
    }

    private static <T> Map<Long, String> table(T[] values, ToIntFunction<T> number, Function<T, String> text) {
        Map<Long, String> table = new TreeMap<>();
        for (T value : values) {
            table.put(Integer.toUnsignedLong(number.applyAsInt(value)), text.apply(value));
        }
        return table;
    }

    private static void appendNames(StringBuilder out, String name, Map<Long, String> values) {
        out.append("N.").append(name).append(" = {");
        values.forEach((number, text) ->
                out.append('[').append(number).append("] = \"").append(text).append("\", "));
        out.append("}\n");
    }

    private static String logic() {
        try (InputStream in = Dissector.class.getResourceAsStream(LOGIC)) {
            return new String(Objects.requireNonNull(in, LOGIC).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
