package org.railyard.ibverbs.standin;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;

/**
 * A machine with cards, as libibverbs and librdmacm show it: structures with the layouts of rdma-core 44, functions by
 * name and by pointer, file descriptors that really wake {@code poll(2)}. It insists on the order in which things are
 * given back, and that what belongs together is of one context.
 */
public final class StandIn implements AutoCloseable {
    /** Most entries of a completion queue. */
    static final int MAX_CQE = 4095;

    /** Most requests of a queue. */
    static final int MAX_WR = 1024;

    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final int EBUSY = 16;
    private static final int EINVAL = 22;
    private static final int MAX_SGE = 16;
    private static final int ON_DEMAND = 64;
    private static final int VERBS_CONTEXT = 648;
    private static final int DEVICE = 664;
    private static final int BACK = 320;
    private static final int PORT_ACTIVE_EVENT = 9;
    private static final int PORT_ERROR_EVENT = 10;

    /** What a card may have no more of. */
    public enum Scarce {
        QUEUE_PAIRS,
        COMPLETION_QUEUES,
        REGIONS,
        /** Receives of new queue pairs. */
        RECEIVES,
        /** The states that a queue pair goes through when it is accepted. */
        ACCEPTANCES
    }

    /** From so many of a thing on, a card gives no more of it and says why. */
    private record Limit(long context, Scarce what, int most, int errno) {}

    private record Async(int type, long element) {}

    /** A card with one port. */
    private static final class Card {
        final long context;
        final int[] ips;
        final EventQueue<Async> async = new EventQueue<>();
        int portState = 4;

        Card(long context, int[] ips) {
            this.context = context;
            this.ips = ips;
        }
    }

    private final StandInNetwork network;
    private final Map<Long, Card> cards = new LinkedHashMap<>();
    private final Arena arena = Arena.ofShared();
    private final FunctionTable functions = new FunctionTable(arena);
    private final StandInQueues queues;
    private final StandInEnds ends;
    private final Map<Long, EventQueue<StandInEnds.Event>> eventChannels = new LinkedHashMap<>();
    private final Map<Long, EventQueue<StandInQueues.Cq>> compChannels = new LinkedHashMap<>();
    private final Map<Long, Long> channelContexts = new LinkedHashMap<>();
    private final Map<Long, Long> pds = new LinkedHashMap<>();
    private final Map<Long, Long> memoryDomains = new LinkedHashMap<>();
    private final List<EventQueue<?>> all = new ArrayList<>();
    private final long[] fastPath;
    private int lastKey;
    private int lastQp = 16;
    private boolean onDemand;
    private boolean windows;
    private @Nullable Limit limit;

    StandIn(StandInNetwork network, String device, int... ips) {
        this.network = network;
        this.queues = new StandInQueues(
                (context, type, element) -> card(context).async.add(new Async(type, element)));
        this.ends = new StandInEnds(network, this, arena);
        this.fastPath = defineFastPath();
        addCard(device, ips);
        defineDevice();
        defineMemoryAndQueues();
        defineCompletions();
        defineChannels();
        defineConnections();
    }

    /** Puts a card into the machine, with these addresses at its port. */
    public void addCard(String device, int... ips) {
        long context = arena.allocate(VERBS_CONTEXT, 8).address() + BACK;
        Card card = new Card(context, ips);
        all.add(card.async);
        long description = arena.allocate(DEVICE, 8).address();
        VerbsMemory.putBytes(description + VerbsLayout.DEVICE_NAME, device.getBytes(StandardCharsets.UTF_8));
        VerbsMemory.putLong(context - VerbsLayout.CONTEXT_BACK_TO_SIZE, VERBS_CONTEXT);
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_DEVICE, description);
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_ABI_COMPAT, -1);
        VerbsMemory.putInt(context + VerbsLayout.CONTEXT_ASYNC_FD, card.async.fd());
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_POLL_CQ, fastPath[0]);
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_REQ_NOTIFY_CQ, fastPath[1]);
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_POST_SEND, fastPath[2]);
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_POST_RECV, fastPath[3]);
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_ALLOC_MW, fastPath[4]);
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_DEALLOC_MW, fastPath[5]);
        synchronized (network) {
            cards.put(context, card);
        }
    }

    private Card card(long context) {
        Card card = cards.get(context);
        if (card == null) {
            throw new IllegalStateException("no card has the context " + context);
        }
        return card;
    }

    private Card first() {
        return nth(0);
    }

    private Card nth(int index) {
        return List.copyOf(cards.values()).get(index);
    }

    /** Returns the context of the card with an address; 0 if there is none. */
    long contextOf(int ip) {
        return cards.values().stream()
                .filter(card -> Arrays.stream(card.ips).anyMatch(each -> each == ip))
                .mapToLong(card -> card.context)
                .findFirst()
                .orElse(0);
    }

    int firstIp() {
        return first().ips[0];
    }

    boolean has(int ip) {
        return contextOf(ip) != 0;
    }

    StandInEnds ends() {
        return ends;
    }

    /** Returns the functions of the libraries on this machine. */
    public SymbolLookup functions() {
        return functions;
    }

    /** Returns the address of the first card's context. */
    public long context() {
        return first().context;
    }

    /** Lets a function fail with an errno from now on; with 0, work again. */
    public void fails(String function, int errno) {
        synchronized (network) {
            functions.fails(function, errno);
        }
    }

    /** Returns how often a function was called. */
    public int calls(String function) {
        return functions.calls(function);
    }

    /** Returns how often functions were called, all of them together. */
    public int calls() {
        return functions.calls();
    }

    /** Takes the cards out, as the kernel shows it: where they told something, there is only a failure from now on. */
    public void takeOut() {
        synchronized (network) {
            for (int card = 0; card < cards.size(); card++) {
                takeOut(card);
            }
        }
    }

    /** Takes one card out in that way. */
    public void takeOut(int card) {
        synchronized (network) {
            long context = nth(card).context;
            nth(card).async.breakOff();
            compChannels.forEach((channel, events) -> {
                if (channelContexts.getOrDefault(channel, 0L) == context) {
                    events.breakOff();
                }
            });
        }
    }

    /** Lets the card flush what is posted only when it is told to, as some do; or lets it do so now. */
    public void holdFlushes(boolean hold) {
        synchronized (network) {
            queues.holdFlushes(hold);
        }
    }

    /** Makes cards that can page all memory in, or such that can not. */
    public void onDemand(boolean can) {
        synchronized (network) {
            onDemand = can;
        }
    }

    /** Makes cards that have memory windows of type 2B, or such that do not. */
    public void windows(boolean have) {
        synchronized (network) {
            windows = have;
        }
    }

    /** Takes a function away, as in a library that is too old. */
    public void remove(String function) {
        functions.remove(function);
    }

    /** Takes the port of the first card down, or brings it back. */
    public void port(boolean up) {
        port(0, up);
    }

    /** Takes the port of a card down, or brings it back. */
    public void port(int card, boolean up) {
        synchronized (network) {
            nth(card).portState = up ? 4 : 1;
            nth(card).async.add(new Async(up ? PORT_ACTIVE_EVENT : PORT_ERROR_EVENT, 0xABCD_0000_0000_0001L));
        }
    }

    /** Lets the first card tell of something. */
    public void raise(int type, long element) {
        raise(0, type, element);
    }

    /** Lets a card tell of something. */
    public void raise(int card, int type, long element) {
        synchronized (network) {
            nth(card).async.add(new Async(type, element));
        }
    }

    /** Takes a card away, as the kernel tells of it to ends of connections: each of them hears it, and no one else. */
    public void remove(int card) {
        synchronized (network) {
            ends.removed(nth(card).context);
        }
    }

    /** Lets a card give no more of something than there is of it now, with an errno for whoever asks. */
    public void useUp(int card, Scarce what, int errno) {
        synchronized (network) {
            long context = nth(card).context;
            limit = new Limit(context, what, (int) count(context, what), errno);
        }
    }

    /** Ends what {@link #useUp} began. */
    public void free() {
        synchronized (network) {
            limit = null;
        }
    }

    private long count(long context, Scarce what) {
        return switch (what) {
            case QUEUE_PAIRS ->
                queues.qps.values().stream()
                        .filter(each -> each.cq.context == context)
                        .count();
            case COMPLETION_QUEUES ->
                queues.cqs.values().stream()
                        .filter(each -> each.context == context)
                        .count();
            case RECEIVES -> lastQp;
            case ACCEPTANCES -> 0;
            case REGIONS ->
                memoryDomains.values().stream()
                        .filter(each -> pds.getOrDefault(each, 0L) == context)
                        .count();
        };
    }

    /** Returns why a card gives no more of something; 0 if it does. */
    private int refusal(long context, Scarce what) {
        Limit known = limit;
        if (known == null || known.context != context || known.what != what) {
            return 0;
        }
        return count(context, what) < known.most ? 0 : known.errno;
    }

    /** Returns what was not given back of one card; empty if nothing is left. */
    public List<String> leftovers(int card) {
        synchronized (network) {
            long context = nth(card).context;
            List<String> left = new ArrayList<>();
            note(left, ends.count(context), "ends");
            for (Scarce each : List.of(Scarce.QUEUE_PAIRS, Scarce.COMPLETION_QUEUES, Scarce.REGIONS)) {
                note(left, (int) count(context, each), each.toString());
            }
            note(left, Collections.frequency(pds.values(), context), "domains");
            note(
                    left,
                    (int) compChannels.keySet().stream()
                            .filter(each -> channelContexts.getOrDefault(each, 0L) == context)
                            .count(),
                    "completion channels");
            return left;
        }
    }

    /** Returns what was not given back; empty if nothing is left. */
    public List<String> leftovers() {
        synchronized (network) {
            List<String> left = new ArrayList<>();
            note(left, ends.count(), "ends");
            note(left, queues.qps.size(), "queue pairs");
            note(left, queues.cqs.size(), "completion queues");
            note(left, queues.regions.size(), "regions");
            note(left, queues.windows.size(), "windows");
            note(left, pds.size(), "domains");
            note(left, compChannels.size(), "completion channels");
            note(left, eventChannels.size(), "event channels");
            return left;
        }
    }

    private static void note(List<String> left, int count, String what) {
        if (count > 0) {
            left.add(count + " " + what);
        }
    }

    private long define(String name, int count, FunctionTable.Function function) {
        return functions.put(name, count, arguments -> {
            synchronized (network) {
                return function.call(arguments);
            }
        });
    }

    private long[] defineFastPath() {
        return new long[] {
            define("poll_cq", 3, a -> StandInQueues.poll(cq(a[0]), (int) a[1], a[2])),
            define("req_notify_cq", 2, a -> {
                cq(a[0]).armed = true;
                return 0;
            }),
            define("post_send", 3, a -> queues.postSend(qp(a[0]), a[1], a[2])),
            define("post_recv", 3, a -> {
                StandInQueues.Qp qp = qp(a[0]);
                Limit known = limit;
                if (known != null && qp.number > known.most && refusal(qp.cq.context, Scarce.RECEIVES) != 0) {
                    VerbsMemory.putLong(a[2], a[1]);
                    return known.errno;
                }
                return queues.postReceive(qp, a[1], a[2]);
            }),
            define("alloc_mw", 2, a -> {
                if (!windows || (int) a[1] != 2 || !pds.containsKey(a[0])) {
                    return FunctionTable.nothing(EINVAL);
                }
                long window = arena.allocate(32, 8).address();
                int key = ++lastKey << 8 | 0xFE;
                VerbsMemory.putInt(window + VerbsLayout.MW_RKEY, key);
                queues.windows.put(window, new StandInQueues.Window(window, a[0], key));
                return window;
            }),
            define("dealloc_mw", 1, a -> queues.windows.remove(a[0]) == null ? EINVAL : 0)
        };
    }

    private StandInQueues.Cq cq(long address) {
        StandInQueues.Cq cq = queues.cqs.get(address);
        if (cq == null) {
            throw new IllegalStateException("no completion queue at " + address);
        }
        return cq;
    }

    private StandInQueues.Qp qp(long address) {
        StandInQueues.Qp qp = queues.qps.get(address);
        if (qp == null) {
            throw new IllegalStateException("no queue pair at " + address);
        }
        return qp;
    }

    private void defineDevice() {
        define("ibv_get_device_list", 1, a -> arena.allocate(16, 8).address());
        define("ibv_free_device_list", 1, a -> 0);
        define("rdma_get_devices", 1, a -> {
            long list = arena.allocate(8L * (cards.size() + 1), 8).address();
            int count = 0;
            for (long context : cards.keySet()) {
                VerbsMemory.putLong(list + 8L * count++, context);
            }
            VerbsMemory.putInt(a[0], count);
            return list;
        });
        define("ibv_query_device", 2, a -> {
            VerbsMemory.putLong(a[1] + VerbsLayout.DEVICE_ATTR_NODE_GUID, Long.reverseBytes(0x0002_C903_0000_1234L));
            VerbsMemory.putInt(a[1] + VerbsLayout.DEVICE_ATTR_MAX_QP, 1000);
            VerbsMemory.putInt(a[1] + VerbsLayout.DEVICE_ATTR_MAX_QP_WR, MAX_WR);
            VerbsMemory.putInt(a[1] + VerbsLayout.DEVICE_ATTR_MAX_SGE, MAX_SGE);
            VerbsMemory.putInt(a[1] + VerbsLayout.DEVICE_ATTR_MAX_CQ, 1000);
            VerbsMemory.putInt(a[1] + VerbsLayout.DEVICE_ATTR_MAX_CQE, MAX_CQE);
            VerbsMemory.putInt(a[1] + VerbsLayout.DEVICE_ATTR_MAX_MR, 1000);
            VerbsMemory.putInt(a[1] + VerbsLayout.DEVICE_ATTR_FLAGS, windows ? 1 << 24 | 1 << 17 : 0);
            VerbsMemory.putInt(a[1] + VerbsLayout.DEVICE_ATTR_MAX_MW, windows ? 500 : 0);
            VerbsMemory.putByte(a[1] + VerbsLayout.DEVICE_ATTR_PORTS, 1);
            return 0;
        });
        define("ibv_query_port", 3, a -> {
            VerbsMemory.putInt(a[2] + VerbsLayout.PORT_ATTR_STATE, card(a[0]).portState);
            VerbsMemory.putInt(a[2] + VerbsLayout.PORT_ATTR_MAX_MTU, 5);
            VerbsMemory.putInt(a[2] + VerbsLayout.PORT_ATTR_ACTIVE_MTU, 4);
            VerbsMemory.putShort(a[2] + VerbsLayout.PORT_ATTR_LID, 3);
            VerbsMemory.putByte(a[2] + VerbsLayout.PORT_ATTR_WIDTH, 2);
            VerbsMemory.putByte(a[2] + VerbsLayout.PORT_ATTR_SPEED, 32);
            VerbsMemory.putByte(a[2] + VerbsLayout.PORT_ATTR_LINK_LAYER, 1);
            return 0;
        });
        define("ibv_query_gid", 4, a -> {
            if (a[2] > 0) {
                return FunctionTable.minusOne(EINVAL);
            }
            VerbsMemory.putLong(a[3], Long.reverseBytes(0xFE80_0000_0000_0000L));
            VerbsMemory.putLong(a[3] + 8, Long.reverseBytes(0x0002_C903_0000_1235L));
            return 0;
        });
        define("ibv_get_async_event", 2, a -> {
            Async event = card(a[0]).async.poll();
            if (event == null) {
                return FunctionTable.minusOne(EAGAIN);
            }
            VerbsMemory.putLong(a[1] + VerbsLayout.ASYNC_ELEMENT, event.element);
            VerbsMemory.putInt(a[1] + VerbsLayout.ASYNC_TYPE, event.type);
            return 0;
        });
        define("ibv_ack_async_event", 1, a -> 0);
    }

    private void defineMemoryAndQueues() {
        define("ibv_alloc_pd", 1, a -> {
            long pd = arena.allocate(16, 8).address();
            VerbsMemory.putLong(pd, a[0]);
            pds.put(pd, a[0]);
            return pd;
        });
        define(
                "ibv_dealloc_pd",
                1,
                a -> memoryDomains.containsValue(a[0])
                                || queues.windows.values().stream().anyMatch(each -> each.pd == a[0])
                        ? EBUSY
                        : pds.remove(a[0]) == null ? EINVAL : 0);
        define("ibv_reg_mr", 4, a -> {
            boolean wholeSpace = onDemand && a[1] == 0 && a[2] == -1 && (a[3] & ON_DEMAND) != 0;
            if (a[2] <= 0 && !wholeSpace || (a[3] & 3) == 2) {
                return FunctionTable.nothing(EINVAL);
            }
            int refusal = refusal(pds.getOrDefault(a[0], 0L), Scarce.REGIONS);
            if (refusal != 0) {
                return FunctionTable.nothing(refusal);
            }
            int key = ++lastKey << 8 | 0x11;
            long region = arena.allocate(48, 8).address();
            VerbsMemory.putInt(region + VerbsLayout.MR_LKEY, key);
            VerbsMemory.putInt(region + VerbsLayout.MR_RKEY, key);
            queues.regions.put(
                    key, new StandInQueues.Region(key, a[1], wholeSpace ? Long.MAX_VALUE : a[2], (int) a[3]));
            memoryDomains.put(region, a[0]);
            return region;
        });
        define("ibv_dereg_mr", 1, a -> {
            int key = VerbsMemory.getInt(a[0] + VerbsLayout.MR_LKEY);
            if (queues.hasWindow(key)) {
                return EBUSY;
            }
            queues.regions.remove(key);
            return memoryDomains.remove(a[0]) == null ? EINVAL : 0;
        });
        define("ibv_modify_qp", 3, a -> {
            queues.fail(qp(a[0]));
            return 0;
        });
        define("rdma_create_qp", 3, a -> createQp(ends.end(a[0]), a[1], a[2]));
        define("rdma_destroy_qp", 1, a -> {
            StandInEnds.End end = ends.end(a[0]);
            StandInQueues.Qp qp = end.qp;
            if (qp != null && queues.hasWindow(qp)) {
                throw new IllegalStateException("a queue pair with windows would never be given back");
            }
            if (qp != null) {
                // As some drivers do: what has completed stays in the queue.
                queues.fail(qp);
                queues.qps.remove(qp.address);
                end.qp = null;
            }
            return 0;
        });
    }

    private long createQp(StandInEnds.End end, long pd, long attributes) {
        StandInQueues.Cq cq = queues.cqs.get(VerbsMemory.getLong(attributes + VerbsLayout.QP_INIT_ATTR_SEND_CQ));
        int sends = VerbsMemory.getInt(attributes + VerbsLayout.QP_INIT_ATTR_SENDS);
        int receives = VerbsMemory.getInt(attributes + VerbsLayout.QP_INIT_ATTR_RECEIVES);
        int gather = VerbsMemory.getInt(attributes + VerbsLayout.QP_INIT_ATTR_SEND_SGE);
        long context = VerbsMemory.getLong(end.address + VerbsLayout.CM_ID_VERBS);
        Long ofPd = pds.get(pd);
        if (cq == null
                || cq.context != context
                || ofPd == null
                || ofPd != context
                || sends > MAX_WR
                || receives > MAX_WR
                || gather > MAX_SGE) {
            return FunctionTable.minusOne(EINVAL);
        }
        int refusal = refusal(context, Scarce.QUEUE_PAIRS);
        if (refusal != 0) {
            return FunctionTable.minusOne(refusal);
        }
        long address = arena.allocate(160, 8).address();
        VerbsMemory.putInt(address + VerbsLayout.QP_NUM, ++lastQp);
        VerbsMemory.putLong(end.address + VerbsLayout.CM_ID_QP, address);
        // More than was asked for, as cards do.
        StandInQueues.Qp qp =
                new StandInQueues.Qp(queues, address, lastQp, cq, roundUp(sends), roundUp(receives), roundUp(gather));
        queues.qps.put(address, qp);
        end.qp = qp;
        return 0;
    }

    private static int roundUp(int count) {
        return Integer.highestOneBit(count) * 2;
    }

    private void defineCompletions() {
        define("ibv_create_comp_channel", 1, a -> {
            EventQueue<StandInQueues.Cq> channel = new EventQueue<>();
            all.add(channel);
            long address = arena.allocate(16, 8).address();
            VerbsMemory.putInt(address + VerbsLayout.COMP_CHANNEL_FD, channel.fd());
            compChannels.put(address, channel);
            channelContexts.put(address, a[0]);
            return address;
        });
        define("ibv_destroy_comp_channel", 1, a -> compChannels.remove(a[0]) == null ? EINVAL : 0);
        define("ibv_create_cq", 5, a -> {
            EventQueue<StandInQueues.Cq> channel = compChannels.get(a[3]);
            if (channel == null || (int) a[1] > MAX_CQE) {
                return FunctionTable.nothing(EINVAL);
            }
            int refusal = refusal(a[0], Scarce.COMPLETION_QUEUES);
            if (refusal != 0) {
                return FunctionTable.nothing(refusal);
            }
            long address = arena.allocate(128, 8).address();
            int entries = roundUp((int) a[1]) - 1;
            VerbsMemory.putInt(address + VerbsLayout.CQ_CQE, entries);
            queues.cqs.put(address, new StandInQueues.Cq(address, a[0], a[2], channel, entries));
            return address;
        });
        define("ibv_destroy_cq", 1, a -> {
            StandInQueues.Cq cq = cq(a[0]);
            cq.channel.removeAll(notice -> notice.equals(cq));
            if (cq.unacknowledged > 0) {
                throw new IllegalStateException("a queue with notices would never be given back");
            }
            if (queues.qps.values().stream().anyMatch(qp -> qp.cq == cq)) {
                return EBUSY;
            }
            queues.cqs.remove(a[0]);
            return 0;
        });
        define("ibv_get_cq_event", 3, a -> {
            EventQueue<StandInQueues.Cq> channel = compChannels.get(a[0]);
            StandInQueues.Cq cq = channel == null ? null : channel.poll();
            if (cq == null) {
                return FunctionTable.minusOne(EAGAIN);
            }
            cq.unacknowledged++;
            VerbsMemory.putLong(a[1], cq.address);
            VerbsMemory.putLong(a[2], cq.cookie);
            return 0;
        });
        define("ibv_ack_cq_events", 2, a -> {
            cq(a[0]).unacknowledged -= (int) a[1];
            return 0;
        });
    }

    private void defineChannels() {
        define("rdma_create_event_channel", 0, a -> {
            EventQueue<StandInEnds.Event> channel = new EventQueue<>();
            all.add(channel);
            long address = arena.allocate(16, 8).address();
            VerbsMemory.putInt(address, channel.fd());
            eventChannels.put(address, channel);
            return address;
        });
        define("rdma_destroy_event_channel", 1, a -> {
            eventChannels.remove(a[0]);
            return 0;
        });
        define("rdma_get_cm_event", 2, a -> {
            EventQueue<StandInEnds.Event> channel = eventChannels.get(a[0]);
            StandInEnds.Event event = channel == null ? null : channel.poll();
            while (channel != null && event != null) {
                long written = ends.write(event);
                if (written != 0) {
                    VerbsMemory.putLong(a[1], written);
                    return 0;
                }
                event = channel.poll();
            }
            return FunctionTable.minusOne(EAGAIN);
        });
        define("rdma_ack_cm_event", 1, a -> {
            ends.acknowledge(a[0]);
            return 0;
        });
    }

    private static long outcome(int errno) {
        return errno == 0 ? 0 : FunctionTable.minusOne(errno);
    }

    private void defineConnections() {
        define("rdma_create_id", 4, a -> {
            EventQueue<StandInEnds.Event> channel = eventChannels.get(a[0]);
            if (channel == null) {
                return FunctionTable.minusOne(ENOMEM);
            }
            VerbsMemory.putLong(a[1], ends.create(channel).address);
            return 0;
        });
        define("rdma_destroy_id", 1, a -> ends.destroy(ends.end(a[0])));
        define("rdma_bind_addr", 2, a -> outcome(ends.bind(ends.end(a[0]), a[1])));
        define("rdma_listen", 2, a -> outcome(ends.listen(ends.end(a[0]))));
        define("rdma_resolve_addr", 4, a -> outcome(ends.resolveAddress(ends.end(a[0]), a[2])));
        define("rdma_resolve_route", 2, a -> outcome(ends.resolveRoute(ends.end(a[0]))));
        define("rdma_connect", 2, a -> outcome(ends.connect(ends.end(a[0]), a[1])));
        define("rdma_accept", 2, a -> {
            StandInEnds.End end = ends.end(a[0]);
            int refusal = refusal(VerbsMemory.getLong(end.address + VerbsLayout.CM_ID_VERBS), Scarce.ACCEPTANCES);
            return outcome(refusal == 0 ? ends.accept(end, a[1]) : refusal);
        });
        define("rdma_reject", 3, a -> outcome(ends.reject(ends.end(a[0]), a[1], (int) a[2] & 0xFF)));
        define("rdma_disconnect", 1, a -> outcome(ends.disconnect(ends.end(a[0]))));
        define("rdma_notify", 2, a -> 0);
        define("rdma_set_option", 5, a -> {
            if (a[2] == 1) {
                ends.end(a[0]).reuse = VerbsMemory.getInt(a[3]) != 0;
            } else {
                ends.end(a[0]).typeOfService = VerbsMemory.getByte(a[3]);
            }
            return 0;
        });
    }

    @Override
    public void close() {
        all.forEach(EventQueue::close);
        arena.close();
    }
}
