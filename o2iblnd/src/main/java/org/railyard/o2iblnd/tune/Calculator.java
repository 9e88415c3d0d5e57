package org.railyard.o2iblnd.tune;

import static org.railyard.o2iblnd.tune.Figure.Scope.CLUSTER;
import static org.railyard.o2iblnd.tune.Figure.Scope.CONNECTION;
import static org.railyard.o2iblnd.tune.Figure.Scope.EFFECTIVE;
import static org.railyard.o2iblnd.tune.Figure.Scope.NODE;
import static org.railyard.o2iblnd.tune.Figure.Scope.PEER;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.DeviceAttributes.Ability;

/** The tunables calculator (spec 20 §18, spec 22 §4): a pure function of a {@link Scene}. */
public final class Calculator {
    private static final int WORK_REQUEST_BYTES = 128;
    private static final int GATHER_ENTRY_BYTES = 16;
    private static final int QUEUE_ENTRY_BYTES = 64;

    /** What is summed up from connections to peers, nodes and the cluster. */
    private static final List<String> PER_CONNECTION = List.of(
            "send_work_requests",
            "receive_work_requests",
            "cq_entries",
            "receive_bytes",
            "receive_pages",
            "card_bytes");

    private final Scene scene;
    private final EffectiveTunables own;
    private final EffectiveTunables peer;
    private final boolean global;
    private final CalculatedFigures figures = new CalculatedFigures();
    private final List<Remark> remarks = new ArrayList<>();

    private Calculator(Scene scene) {
        this.scene = scene;
        this.global = scene.registration() == Registration.GLOBAL
                || scene.registration() == null && scene.device().has(Ability.GLOBAL_REGION);
        boolean oneIsOld = scene.tunables().get(O2ibTunable.PROTOCOL) == 1
                || scene.peerTunables().get(O2ibTunable.PROTOCOL) == 1;
        int version = oneIsOld ? Kib.V1 : scene.version();
        this.own = new EffectiveTunables(scene.tunables(), scene.era(), version, global);
        this.peer = new EffectiveTunables(scene.peerTunables(), scene.peerEra(), version, global);
    }

    /** Calculates. Never fails: what is wrong is said in the remarks. */
    public static Calculation calculate(Scene scene) {
        return new Calculator(scene).calculate();
    }

    private Calculation calculate() {
        remarks.addAll(own.remarks());
        for (Remark remark : peer.remarks()) {
            remarks.add(new Remark(remark.severity(), remark.row(), "peer:" + remark.subject(), remark.text()));
        }
        effective();
        timers();
        Registration registration = registration();
        Negotiation.Outcome negotiation = Negotiation.between(Negotiation.Limits.of(own), Negotiation.Limits.of(peer));
        ConnectionParameters agreed = negotiation.agreed();
        QueueSizing sizing = null;
        if (agreed == null) {
            remarks.add(Remark.error(3, "negotiation", "no connection: " + negotiation.rule()));
        } else {
            if (negotiation.attempts().size() > 1) {
                remarks.add(Remark.notice(
                        3,
                        "negotiation",
                        negotiation.attempts().size() - 1 + " request(s) are turned down before the limits fit"));
            }
            if (registration != null) {
                sizing = QueueSizing.of(
                        own,
                        agreed.queueDepth(),
                        agreed.maxFragments(),
                        own.era().isOld() ? 0 : registration.workRequests(),
                        scene.device());
                verdict(sizing);
                connection(sizing, agreed, registration);
                sums(sizing);
            }
        }
        node(registration);
        limits();
        remarks.sort(Comparator.comparing(Remark::severity));
        return new Calculation(scene, negotiation, sizing, registration, figures.all(), remarks);
    }

    private int given(O2ibTunable tunable) {
        return scene.tunables().get(tunable);
    }

    private void effective() {
        figures.add(EFFECTIVE, "peer_credits", own.peerCredits(), "messages");
        figures.add(EFFECTIVE, "peer_credits_hiw", own.highWaterMark(), "credits");
        figures.add(EFFECTIVE, "concurrent_sends", own.concurrentSends(), "sends");
        figures.add(EFFECTIVE, "conns_per_peer", own.connsPerPeer(), "connections");
        figures.add(EFFECTIVE, "map_on_demand", own.mapOnDemand(), own.era().isOld() ? "fragments" : "flag");
    }

    private void timers() {
        int timeout = given(O2ibTunable.TIMEOUT);
        if (timeout == 0) {
            remarks.add(
                    Remark.notice(17, O2ibTunable.TIMEOUT.text(), "0: the limit of the core counts; shown for 50 s"));
            timeout = O2ibTunable.TIMEOUT.spec().defaultValue();
        }
        double connect = own.connectSeconds(timeout);
        figures.addFraction(CONNECTION, "connect_seconds", connect, "s");
        figures.addFraction(CONNECTION, "waiting_seconds", connect + 10, "s");
        figures.addFraction(CONNECTION, "detection_seconds", timeout * 1.25, "s");
        // A little under 4 s for each attempt.
        double retries = 4.0 * (Math.max(0, given(O2ibTunable.RETRY_COUNT)) + 1);
        figures.addFraction(CONNECTION, "card_retry_seconds", retries, "s");
        if (retries > timeout) {
            remarks.add(Remark.warning(
                    18,
                    O2ibTunable.TIMEOUT.text(),
                    timeout + " s pass before the card gives up after about " + (int) retries
                            + " s: its error comes too late"));
        }
        if (given(O2ibTunable.CKSUM) != 0) {
            remarks.add(Remark.warning(
                    20,
                    O2ibTunable.CKSUM.text(),
                    "kernel nodes that use FastReg compute wrong checksums of immediate payload: connections"
                            + " to them break"));
        }
    }

    private @Nullable Registration registration() {
        Registration wanted = scene.registration();
        if (wanted == null && own.era().isOld() && global && own.mapOnDemand() == 0) {
            return Registration.GLOBAL;
        }
        Registration found =
                wanted != null ? wanted : Registration.of(scene.device(), given(O2ibTunable.USE_FASTREG_GAPS) != 0);
        if (found == null) {
            remarks.add(Remark.error(
                    12,
                    "registration",
                    scene.device().profile() + " has neither FMR nor FastReg: the NI does not start"));
        }
        return found;
    }

    private void verdict(QueueSizing sizing) {
        DeviceAttributes device = scene.device();
        switch (sizing.verdict()) {
            case FITS -> {
                // Nothing to say.
            }
            case REDUCED ->
                remarks.add(Remark.clamped(
                        4,
                        "connection.queue_depth",
                        sizing.askedQueueDepth(),
                        sizing.queueDepth(),
                        "the device has " + device.maxQpWr() + " work requests per queue"));
            case KERNEL_FAILS ->
                remarks.add(Remark.warning(
                        4,
                        "connection.cq_entries",
                        "a kernel node asks for " + sizing.askedEntries() + " entries, the device has "
                                + device.maxCqe() + ": its connections fail; Railyard connects with queue depth "
                                + sizing.queueDepth()));
            case FAILS ->
                remarks.add(Remark.error(
                        4,
                        "connection.send_work_requests",
                        "no connection: " + sizing.sendRequests() + " work requests and " + sizing.entries()
                                + " completion queue entries, the device has " + device.maxQpWr() + " and "
                                + device.maxCqe()));
        }
        if (own.era() == LustreRelease.V2_11 && sizing.entries() < sizing.sendRequests() + sizing.receives()) {
            remarks.add(Remark.warning(
                    11,
                    "connection.cq_entries",
                    "fewer than work requests: completions are delayed until limits pass"));
        }
        if (!own.era().isOld()
                && own.concurrentSends() > sizing.queueDepth()
                && (long) own.concurrentSends() * sizing.perMessage() > sizing.sendRequests()) {
            remarks.add(Remark.warning(
                    7,
                    O2ibTunable.CONCURRENT_SENDS.text(),
                    own.concurrentSends() + " sends of the worst kind do not fit into " + sizing.sendRequests()
                            + " work requests: posting waits for free ones"));
        }
    }

    private void connection(QueueSizing sizing, ConnectionParameters agreed, Registration registration) {
        int mark = own.returnMark(Math.max(1, sizing.queueDepth()));
        figures.add(CONNECTION, "queue_depth", sizing.queueDepth(), "messages");
        figures.add(CONNECTION, "max_frags", agreed.maxFragments(), "fragments");
        figures.add(CONNECTION, "return_mark", mark, "credits");
        figures.add(CONNECTION, "work_requests_per_message", sizing.perMessage(), "work requests");
        figures.add(CONNECTION, "send_work_requests", sizing.sendRequests(), "work requests");
        figures.add(CONNECTION, "receive_work_requests", sizing.receives(), "work requests");
        figures.add(CONNECTION, "cq_entries", sizing.entries(), "entries");
        figures.add(CONNECTION, "cq_entries_asked", sizing.askedEntries(), "entries");
        figures.add(CONNECTION, "send_sges", sizing.gather(), "gather entries");
        figures.add(CONNECTION, "receive_bytes", sizing.receiveBytes(), "bytes");
        figures.add(
                CONNECTION,
                "receive_pages",
                (sizing.receiveBytes() + scene.pageBytes() - 1) / scene.pageBytes(),
                "pages");
        figures.add(CONNECTION, "card_bytes", cardBytes(sizing), "bytes");
        int fragments = fragments(registration);
        figures.add(CONNECTION, "transfer_fragments", fragments, "fragments of 1 MiB");
        figures.add(
                CONNECTION,
                "transfer_work_requests",
                1L + fragments + registration.workRequests(),
                "work requests for 1 MiB");
        figures.addFraction(CONNECTION, "noops_per_message", 1.0 / mark, "NOOPs when traffic goes one way");
        if (fragments > agreed.maxFragments()) {
            remarks.add(Remark.error(
                    8,
                    "connection.transfer_fragments",
                    "1 MiB has " + fragments + " fragments, " + agreed.maxFragments()
                            + " were agreed on: such transfers fail"));
        }
    }

    /** An estimate: a slot for head and gather entries, a power of two, and 64 bytes for every completion. */
    private static long cardBytes(QueueSizing sizing) {
        int slot = Integer.highestOneBit(32 + GATHER_ENTRY_BYTES * sizing.gather() - 1) * 2;
        return (long) sizing.sendRequests() * Math.max(QUEUE_ENTRY_BYTES, slot)
                + (long) sizing.receives() * GATHER_ENTRY_BYTES
                + (long) sizing.entries() * QUEUE_ENTRY_BYTES;
    }

    /** Returns the fragments of 1 MiB whose pages are apart, without gaps; in an arena it is one piece. */
    private int fragments(Registration registration) {
        int pages = (Wire.MTU + scene.pageBytes() - 1) / scene.pageBytes();
        boolean each = registration == Registration.GLOBAL
                || registration == Registration.FMR && own.era() == LustreRelease.V2_10_29290;
        return each ? pages : 1;
    }

    private void sums(QueueSizing sizing) {
        long connections = (long) own.connsPerPeer() * scene.routes();
        if (own.connsPerPeer() > 1) {
            remarks.add(Remark.notice(
                    16,
                    O2ibTunable.CONNS_PER_PEER.text(),
                    "more connections add parallelism, not depth: a peer gets at most peer_credits = "
                            + own.peerCredits() + " messages at a time"));
        }
        figures.add(PEER, "connections", connections, "connections");
        figures.add(PEER, "queue_pairs", connections, "queue pairs");
        figures.add(PEER, "completion_queues", connections, "completion queues");
        for (String name : PER_CONNECTION) {
            Figure one = figures.find("connection." + name);
            if (one != null) {
                figures.add(PEER, name, figures.get(one.fullName()) * connections, one.unit());
            }
        }
        long messages = Math.min(own.peerCredits(), connections * sizing.queueDepth());
        long transactions = connections * sizing.queueDepth();
        figures.add(PEER, "lnet_messages", messages, "LNet messages in flight");
        figures.add(PEER, "rdma_transactions", transactions, "RDMA transactions started here");
        figures.add(PEER, "posted_sends", connections * own.concurrentSends(), "sends posted");
        figures.add(PEER, "bytes_in_flight", Math.min(messages, transactions) * Wire.MTU, "bytes");
        for (String name : List.of("connections", "queue_pairs", "completion_queues")) {
            figures.add(NODE, name, connections * scene.peers(), name.replace('_', ' '));
        }
        for (String name : PER_CONNECTION) {
            Figure one = figures.find("peer." + name);
            if (one != null) {
                figures.add(NODE, name, figures.get(one.fullName()) * scene.peers(), one.unit());
            }
        }
        figures.add(
                NODE,
                "lnet_messages",
                Math.min(given(O2ibTunable.CREDITS), scene.peers() * messages),
                "LNet messages in flight");
        long nodes = scene.peers() + 1L;
        figures.add(CLUSTER, "nodes", nodes, "nodes");
        figures.add(CLUSTER, "connections", nodes * (nodes - 1) / 2 * connections, "connections, each node with each");
        for (String name : List.of("queue_pairs", "receive_bytes", "card_bytes")) {
            figures.add(
                    CLUSTER,
                    name,
                    figures.get("node." + name) * nodes,
                    name.endsWith("bytes") ? "bytes" : "queue pairs");
        }
    }

    private void node(@Nullable Registration registration) {
        long transmits = (long) own.transmitsPerCpt(scene.cpts()) * scene.cpts();
        int most = own.era().maxFragments();
        long perTransmit = Kib.MESSAGE_BYTES
                + RdmaDescriptor.wireBytes(most)
                + (1L + most) * WORK_REQUEST_BYTES
                + (long) most * own.era().gather(Math.max(1, given(O2ibTunable.WRQ_SGE))) * GATHER_ENTRY_BYTES;
        figures.add(NODE, "transmits", transmits, "transmit descriptors");
        figures.add(NODE, "transmit_bytes", transmits * perTransmit, "bytes");
        boolean pools = registration != null && registration.hasPools();
        long regions = pools ? (long) own.regionsPerCpt(scene.cpts()) * scene.cpts() : 1;
        figures.add(NODE, "memory_regions", regions, "memory regions");
        figures.add(NODE, "page_list_entries", pools ? regions * most : 0, "entries");
    }

    private void limits() {
        DeviceAttributes device = scene.device();
        limit("node.queue_pairs", device.maxQp(), "max_qp");
        limit("node.completion_queues", device.maxCq(), "max_cq");
        limit("node.memory_regions", device.maxMr(), "max_mr");
        int gather = own.era().gather(given(O2ibTunable.WRQ_SGE));
        if (gather > device.maxSge()) {
            remarks.add(Remark.error(
                    13,
                    O2ibTunable.WRQ_SGE.text(),
                    "given " + gather + ", expected at most the device's max_sge " + device.maxSge()));
        }
        Registration wanted = scene.registration();
        boolean lists = wanted == null || wanted.hasPools();
        if (lists && own.era().maxFragments() > device.maxPageList()) {
            remarks.add(Remark.error(
                    12,
                    "registration",
                    own.era().maxFragments() + " pages in a region, the device has at most " + device.maxPageList()));
        }
    }

    private void limit(String name, int most, String what) {
        Figure figure = figures.find(name);
        if (figure != null && figure.value() > most) {
            remarks.add(Remark.error(
                    4,
                    name,
                    figure.text() + " " + figure.unit() + ", the device has " + what + " " + most
                            + ": later peers get none"));
        }
    }
}
