package org.railyard.o2iblnd.tune;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which tunable acts on what, and why (spec 20 §17.1, spec 22 mod-035). Names are those of tunables, {@code peer:} and
 * such a name for the peer's, {@code device}, {@code registration}, {@code peers}, {@code routes}, {@code cpts}, and
 * full names of figures.
 */
public final class TunableDependencies {
    /**
     * A dependency as the reference page tells it.
     *
     * @param number of the row
     * @param what from what to what
     * @param why there is such a dependency
     * @param verdict what Railyard does about it
     */
    public record Row(int number, String what, String why, String verdict) {}

    /**
     * One strand of the web.
     *
     * @param from what acts
     * @param to what it acts on
     * @param row number of the dependency, 0 if it goes without saying
     * @param onlyOld whether it is history: only up to 2.10
     */
    public record Strand(String from, String to, int row, boolean onlyOld) {}

    private static final List<Row> ROWS = List.of(
            new Row(1, "credits → peer_credits", "one peer can not use more than the NI has", "kept"),
            new Row(2, "peer_credits → queue depth offered", "one buffer for each credit", "kept"),
            new Row(3, "peer's peer_credits → queue depth", "negotiation: the smaller one counts", "kept"),
            new Row(
                    4,
                    "max_qp_wr, max_cqe, memory of the device → queue depth",
                    "queues must fit",
                    "kept, before anything is made"),
            new Row(
                    5,
                    "peer_credits → peer_credits_hiw, return mark",
                    "credits return before the peer starves",
                    "kept, at least 1"),
            new Row(6, "peer_credits → concurrent_sends", "limit of posted sends", "kept"),
            new Row(
                    7,
                    "concurrent_sends → send work requests",
                    "size of the queue",
                    "up to 2.10 only; posting also waits for free work requests"),
            new Row(8, "map_on_demand → max_frags", "limit of fragments", "up to 2.10 only"),
            new Row(9, "map_on_demand ≤ 32 → concurrent_sends", "room that few fragments leave", "up to 2.10 only"),
            new Row(10, "map_on_demand 0 or not → pools or global region", "choice of registration", "up to 2.10 only"),
            new Row(
                    11,
                    "max_frags → send work requests → completion queue",
                    "at worst one work request for each fragment",
                    "kept"),
            new Row(12, "registration → 2 work requests more", "register and invalidate", "kept"),
            new Row(13, "wrq_sge → gather entries, number of writes, transmit memory", "packing", "kept"),
            new Row(
                    14,
                    "ntx → fmr_pool_size ≥ ntx/4; cpts → sizes of pools",
                    "regions enough for transmits",
                    "kept, reported"),
            new Row(15, "fmr_pool_size → fmr_flush_trigger", "flush of FMRs", "checked; FMR only"),
            new Row(
                    16,
                    "conns_per_peer × queue depth against peer_credits",
                    "parallelism, not depth; memory and queues multiply",
                    "kept, shown"),
            new Row(17, "timeout → connect and waiting limits, detection", "one limit for all", "kept"),
            new Row(18, "timeout against retry_count of the card", "the card should give up first", "checked"),
            new Row(19, "keepalive", "depends on nothing", "documented"),
            new Row(20, "cksum against FastReg immediates", "kernel nodes get it wrong", "warned of"),
            new Row(21, "peer_credits against service buffers above", "outside LNet", "documented"),
            new Row(22, "routes per peer × everything of a connection", "channel bonding", "kept, shown"));

    private static final List<Strand> STRANDS = allStrands();

    private TunableDependencies() {}

    private static List<Strand> allStrands() {
        List<Strand> all = new ArrayList<>();
        link(all, 1, "credits", "effective.peer_credits", "node.lnet_messages");
        link(all, 0, "peer_credits", "effective.peer_credits");
        link(all, 2, "effective.peer_credits", "connection.queue_depth", "peer.lnet_messages");
        link(all, 3, "peer:peer_credits", "connection.queue_depth");
        link(all, 3, "peer:credits", "connection.queue_depth");
        link(all, 4, "device", "connection.queue_depth", "connection.send_work_requests", "connection.cq_entries");
        link(all, 5, "effective.peer_credits", "effective.peer_credits_hiw", "connection.return_mark");
        link(all, 0, "peer_credits_hiw", "effective.peer_credits_hiw");
        link(all, 5, "effective.peer_credits_hiw", "connection.return_mark");
        link(all, 5, "connection.queue_depth", "connection.return_mark");
        link(all, 5, "connection.return_mark", "connection.noops_per_message");
        link(all, 6, "effective.peer_credits", "effective.concurrent_sends");
        link(all, 0, "concurrent_sends", "effective.concurrent_sends");
        link(all, 6, "effective.concurrent_sends", "peer.posted_sends");
        old(all, 7, "effective.concurrent_sends", "connection.send_work_requests");
        old(all, 8, "effective.map_on_demand", "connection.max_frags");
        old(all, 8, "peer:map_on_demand", "connection.max_frags");
        link(all, 0, "map_on_demand", "effective.map_on_demand");
        old(all, 9, "effective.map_on_demand", "effective.concurrent_sends");
        old(all, 10, "effective.map_on_demand", "connection.transfer_fragments", "node.memory_regions");
        link(all, 11, "connection.max_frags", "connection.work_requests_per_message");
        link(all, 11, "connection.work_requests_per_message", "connection.send_work_requests");
        link(all, 11, "connection.send_work_requests", "connection.cq_entries", "connection.cq_entries_asked");
        link(all, 11, "connection.send_work_requests", "connection.card_bytes");
        link(all, 2, "connection.queue_depth", "connection.send_work_requests", "connection.receive_work_requests");
        link(all, 2, "connection.receive_work_requests", "connection.cq_entries", "connection.receive_bytes");
        link(all, 2, "connection.receive_bytes", "connection.receive_pages");
        link(all, 12, "registration", "connection.work_requests_per_message", "connection.transfer_work_requests");
        link(all, 12, "registration", "connection.transfer_fragments", "node.memory_regions", "node.page_list_entries");
        link(all, 12, "connection.transfer_fragments", "connection.transfer_work_requests");
        link(all, 12, "device", "registration");
        link(all, 12, "use_fastreg_gaps", "registration");
        link(all, 13, "wrq_sge", "connection.send_sges", "node.transmit_bytes");
        link(all, 13, "connection.send_sges", "connection.card_bytes");
        link(all, 14, "ntx", "node.transmits", "node.transmit_bytes");
        link(all, 14, "fmr_pool_size", "node.memory_regions");
        link(all, 14, "node.memory_regions", "node.page_list_entries");
        link(all, 14, "cpts", "node.transmits", "node.transmit_bytes", "node.memory_regions");
        link(all, 16, "conns_per_peer", "effective.conns_per_peer");
        link(all, 16, "effective.conns_per_peer", "peer.connections");
        link(all, 22, "routes", "peer.connections");
        link(
                all,
                17,
                "timeout",
                "connection.connect_seconds",
                "connection.waiting_seconds",
                "connection.detection_seconds");
        link(all, 18, "retry_count", "connection.card_retry_seconds");
        sums(all);
        return List.copyOf(all);
    }

    private static void sums(List<Strand> all) {
        for (String name : List.of(
                "send_work_requests",
                "receive_work_requests",
                "cq_entries",
                "receive_bytes",
                "receive_pages",
                "card_bytes")) {
            link(all, 0, "connection." + name, "peer." + name);
            link(all, 16, "peer.connections", "peer." + name);
            link(all, 0, "peer." + name, "node." + name);
            link(all, 0, "peers", "node." + name);
        }
        for (String name :
                List.of("queue_pairs", "completion_queues", "rdma_transactions", "lnet_messages", "posted_sends")) {
            link(all, 16, "peer.connections", "peer." + name);
        }
        link(all, 2, "connection.queue_depth", "peer.rdma_transactions", "peer.lnet_messages");
        link(all, 0, "peer.lnet_messages", "peer.bytes_in_flight", "node.lnet_messages");
        for (String name : List.of("connections", "queue_pairs", "completion_queues")) {
            link(all, 0, "peer." + name, "node." + name);
            link(all, 0, "peers", "node." + name);
        }
        link(all, 0, "peers", "cluster.nodes", "node.lnet_messages");
        for (String name : List.of("connections", "queue_pairs", "receive_bytes", "card_bytes")) {
            link(all, 0, "node." + name, "cluster." + name);
        }
    }

    private static void link(List<Strand> all, int row, String from, String... to) {
        for (String each : to) {
            all.add(new Strand(from, each, row, false));
        }
    }

    private static void old(List<Strand> all, int row, String from, String... to) {
        for (String each : to) {
            all.add(new Strand(from, each, row, true));
        }
    }

    /** Returns the rows of the reference. */
    public static List<Row> rows() {
        return ROWS;
    }

    /** Returns all strands. */
    public static List<Strand> strands() {
        return STRANDS;
    }

    /**
     * Returns the shortest way along which changes went; empty if there is none.
     *
     * @param causes what was changed
     * @param effect a figure that changed with it
     * @param changed everything that changed; ways go through this only
     */
    static List<Strand> chain(Set<String> causes, String effect, Set<String> changed, boolean old) {
        Map<String, Strand> reachedBy = new LinkedHashMap<>();
        ArrayDeque<String> edge = new ArrayDeque<>(causes);
        while (!edge.isEmpty()) {
            String at = edge.remove();
            for (Strand strand : STRANDS) {
                boolean passable = changed.contains(strand.to) || strand.to.equals("registration");
                if (strand.from.equals(at)
                        && passable
                        && (old || !strand.onlyOld)
                        && !causes.contains(strand.to)
                        && !reachedBy.containsKey(strand.to)) {
                    reachedBy.put(strand.to, strand);
                    edge.add(strand.to);
                }
            }
        }
        List<Strand> chain = new ArrayList<>();
        for (Strand strand = reachedBy.get(effect); strand != null; strand = reachedBy.get(strand.from)) {
            chain.add(strand);
        }
        Collections.reverse(chain);
        return chain;
    }
}
