package org.railyard.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** Captures of kernel nodes, and what an independent decoder found in them. */
final class GoldenCaptures {
    static final List<String> NAMES = List.of(
            "a1_ping_single_rail_discovery_off",
            "a2_ping_single_rail_discovery_on",
            "a3_idle_keepalive",
            "b1_discover_multirail_first_contact",
            "b2_ping_multirail_then_discover",
            "b3_discover_peer_with_discovery_off",
            "c_dynamic_ni_add_del_push",
            "d_lst_ping",
            "e4_enable_csum_v3",
            "e_lst_brw_read_1M_full",
            "e_lst_brw_read_4k_full",
            "e_lst_brw_read_4k_simple",
            "e_lst_brw_write_1M_simple",
            "e_lst_brw_write_4k_full",
            "e_lst_brw_write_4k_simple",
            "f1_rail_down_guest_link",
            "g_acceptor_probe",
            "h1_router_ping",
            "i1_ipv6_large_nid",
            "j_conns_per_peer_4",
            "k_race_simultaneous_connect",
            "l_protocol_v1",
            "l_protocol_v2_csum",
            "l_protocol_v3_to_v2_negotiation");

    private GoldenCaptures() {}

    static byte[] pcap(String name) {
        return resource(name + ".pcap.gz");
    }

    static MemorySegment segment(String name) {
        return MemorySegment.ofArray(pcap(name));
    }

    static List<String> expected(String name) {
        return new String(resource(name + ".decode.txt.gz"), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    private static byte[] resource(String name) {
        try (InputStream in = GoldenCaptures.class.getResourceAsStream("/captures/" + name);
                GZIPInputStream unpacked = new GZIPInputStream(Objects.requireNonNull(in, name))) {
            return unpacked.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
