package org.railyard.fabric.sim.job;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.sim.DropReason;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.sim.LinkRate;
import org.railyard.fabric.sim.SimListener;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.sim.traffic.Upkeep;

/**
 * Ranks that take the steps of a job, in a closed loop: only so many messages of each are under way at a time. Of each
 * of these the sender keeps up to two packets in its queue, one message after the other. Lost packets are sent again
 * some time later, as by a reliable connection; acknowledgements take no time and no room. A function of its arguments.
 * For one thread.
 */
public final class JobRun implements SimListener {
    private static final int NOBODY = -1;
    private static final int NUMBER_BITS = 20;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
    private static final long SOON = 1000;
    private static final String NO_PATH = "no path";
    private static final int VLS = 16;

    private final Fabric fabric;
    private final int[] ports;
    private final Job job;
    private final JobSettings settings;
    private final Upkeep upkeep;
    private final FabricSim sim;
    private final boolean passes;
    private final Rank[] ranks;
    private final Slot[] slots;
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final Deque<Integer> ready = new ArrayDeque<>();
    private final boolean[] isReady;
    private final long[] dropped = new long[DropReason.values().length];

    private long timerCount;
    private int unfinished;
    private long noPath;
    private long messages;
    private long bytes;
    private double messageNanos;
    private long longest;
    private long resent;
    private String trouble = "";

    /** When a rank is to be looked after. */
    private record Timer(long at, long number, int rank) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    /** Where a rank is. */
    private static final class Rank {
        /** The step whose messages it waits for. */
        private int step;

        private int arrived;
        /** Messages of later steps that are here already, by step. */
        private final Map<Integer, Integer> early = new LinkedHashMap<>();

        private int sendStep;
        private int nextMessage;
        private int underWay;
        private int turn;
        /** Time for which it is to be looked after because of its next message. */
        private long wakes = -1;

        private long end = -1;
    }

    /** A message under way. */
    private static final class Slot {
        private boolean isUsed;
        private int to;
        private int step;
        private long length;
        private long start;
        /** Packets that were never sent. */
        private long unsent;
        /** Packets that have not arrived. */
        private long left;

        /** Numbers of packets in the queue of the sender, below 0 where there is none. */
        private final int[] queue = {NOBODY, NOBODY};

        private int number;
        private int lost;
        private boolean lostLast;
        /** How often packets were lost since one arrived. */
        private int attempts;

        private long resendAt;

        boolean hasRoom() {
            return queue[0] == NOBODY || queue[1] == NOBODY;
        }

        void exchange(int old, int now) {
            int place = queue[0] == old ? 0 : 1;
            if (queue[place] == old) {
                queue[place] = now;
            }
        }
    }

    /**
     * Prepares a run.
     *
     * @param ports port index of the host of each rank
     * @param upkeep what happens to the fabric; made for this run
     */
    public JobRun(Fabric fabric, int[] ports, Job job, SimSettings simSettings, JobSettings settings, Upkeep upkeep) {
        this.fabric = fabric;
        this.ports = ports.clone();
        this.job = job;
        this.settings = settings;
        this.upkeep = upkeep;
        this.passes = simSettings.lifetimeNanos() > 0;
        this.sim = new FabricSim(fabric, upkeep.current(), simSettings, this);
        this.ranks = new Rank[job.ranks()];
        Arrays.setAll(ranks, _ -> new Rank());
        this.slots = new Slot[ranks.length * settings.outstanding()];
        Arrays.setAll(slots, _ -> new Slot());
        this.isReady = new boolean[ranks.length];
        unfinished = ranks.length;
    }

    /** Runs it. */
    public JobResult run() {
        for (int rank = 0; rank < ranks.length; rank++) {
            advance(rank);
        }
        while (true) {
            serve();
            long next = nextTime();
            JobResult.End end = end(next);
            if (end != null) {
                return result(end);
            }
            sim.runUntil(next);
            for (Timer first = timers.peek(); first != null && first.at <= next; first = timers.peek()) {
                timers.remove();
                wake(first.rank);
            }
            if (upkeep.nextNanos() <= next) {
                upkeep.act(sim);
            }
        }
    }

    private long nextTime() {
        long next = Math.min(sim.nextEventNanos(), upkeep.nextNanos());
        Timer first = timers.peek();
        return first == null ? next : Math.min(next, first.at);
    }

    private JobResult.@Nullable End end(long next) {
        if (!trouble.isEmpty()) {
            return JobResult.End.BROKEN;
        }
        if (unfinished == 0) {
            return JobResult.End.DONE;
        }
        if (!passes && sim.outcome() == Outcome.DEADLOCK) {
            return JobResult.End.DEADLOCK;
        }
        if (next == FabricSim.NEVER) {
            return JobResult.End.STARVED;
        }
        return next > settings.untilNanos() ? JobResult.End.TIME_OVER : null;
    }

    private void wake(int rank) {
        if (!isReady[rank]) {
            isReady[rank] = true;
            ready.addLast(rank);
        }
    }

    private void serve() {
        while (!ready.isEmpty()) {
            int rank = ready.removeFirst();
            isReady[rank] = false;
            begin(rank);
            fill(rank);
        }
    }

    private void timer(long at, int rank) {
        timers.add(new Timer(at, timerCount++, rank));
    }

    /** Goes on to the step whose messages are not all here. */
    private void advance(int rank) {
        Rank state = ranks[rank];
        while (state.step < job.steps(rank) && state.arrived >= job.awaits(rank, state.step)) {
            state.step++;
            Integer early = state.early.remove(state.step);
            state.arrived = early == null ? 0 : early;
        }
        wake(rank);
    }

    /** Takes messages that may be sent now, as far as the window goes; notes the end of the rank. */
    private void begin(int rank) {
        Rank state = ranks[rank];
        int steps = job.steps(rank);
        while (state.sendStep < steps && state.sendStep <= state.step && state.underWay < settings.outstanding()) {
            if (state.nextMessage == job.sends(rank, state.sendStep)) {
                state.sendStep++;
                state.nextMessage = 0;
                continue;
            }
            long at = job.notBefore(rank, state.sendStep, state.nextMessage);
            if (at > sim.now()) {
                if (state.wakes != at) {
                    state.wakes = at;
                    timer(at, rank);
                }
                return;
            }
            Slot slot = free(rank);
            slot.isUsed = true;
            slot.to = job.to(rank, state.sendStep, state.nextMessage);
            slot.step = state.sendStep;
            slot.length = job.bytes(rank, state.sendStep, state.nextMessage);
            slot.start = sim.now();
            slot.unsent = Math.max(1, (slot.length + settings.payload() - 1) / settings.payload());
            slot.left = slot.unsent;
            slot.attempts = 0;
            state.nextMessage++;
            state.underWay++;
        }
        if (state.end < 0 && state.sendStep == steps && state.step == steps && state.underWay == 0) {
            state.end = sim.now();
            unfinished--;
        }
    }

    private Slot free(int rank) {
        for (int i = rank * settings.outstanding(); ; i++) {
            if (!slots[i].isUsed) {
                return slots[i];
            }
        }
    }

    /** Puts packets into the queue of a host: of each message in turn. */
    private void fill(int rank) {
        int window = settings.outstanding();
        int idle = 0;
        while (idle < window && trouble.isEmpty()) {
            int at = rank * window + ranks[rank].turn;
            ranks[rank].turn = (ranks[rank].turn + 1) % window;
            idle = slots[at].isUsed && slots[at].hasRoom() && send(rank, at) ? 0 : idle + 1;
        }
    }

    /** Puts one packet of a message into the queue; false if there is none to send at present. */
    private boolean send(int rank, int at) {
        Slot slot = slots[at];
        boolean isRepeat = slot.lost > 0 && slot.resendAt <= sim.now();
        if (!isRepeat && slot.unsent == 0) {
            return false;
        }
        int from = ports[rank];
        int lid = fabric.lid(ports[slot.to]);
        int sl = upkeep.current().sls().sl(fabric.lid(from), lid, 0);
        boolean isLast = isRepeat ? slot.lostLast : slot.unsent == 1;
        if (isRepeat) {
            slot.lost--;
            slot.lostLast = false;
        } else {
            slot.unsent--;
        }
        if (sl == PathSls.NO_SL) {
            noPath++;
            lose(rank, slot, isLast);
            return true;
        }
        int payload = isLast ? (int) (slot.length - (packets(slot) - 1) * settings.payload()) : settings.payload();
        int number = slot.number++ & NUMBER_MASK;
        long token = (long) at << NUMBER_BITS + 1 | (long) number << 1 | (isLast ? 1 : 0);
        // It may leave, or be lost, at once.
        slot.exchange(NOBODY, number);
        resent += isRepeat ? 1 : 0;
        if (!sim.inject(from, lid, sl, payload + settings.headers(), token)) {
            slot.exchange(number, NOBODY);
            resent -= isRepeat ? 1 : 0;
            if (isRepeat) {
                slot.lost++;
                slot.lostLast |= isLast;
            } else {
                slot.unsent++;
            }
            timer(sim.now() + SOON, rank);
            return false;
        }
        return true;
    }

    private long packets(Slot slot) {
        return Math.max(1, (slot.length + settings.payload() - 1) / settings.payload());
    }

    /** Packets of a message that are lost before the time to send them again count as one loss. */
    private void lose(int rank, Slot slot, boolean isLast) {
        if (slot.lost == 0 || slot.resendAt <= sim.now()) {
            slot.attempts++;
            slot.resendAt = sim.now() + settings.retryNanos();
            timer(slot.resendAt, rank);
            if (slot.attempts > settings.retries()) {
                trouble = "a message from %s to %s is given up: packets were lost, and lost again %d times"
                        .formatted(fabric.portName(ports[rank]), fabric.portName(ports[slot.to]), settings.retries());
            }
        }
        slot.lost++;
        slot.lostLast |= isLast;
    }

    @Override
    public void leaves(long token) {
        int at = slotOf(token);
        slots[at].exchange(numberOf(token), NOBODY);
        wake(at / settings.outstanding());
    }

    private static int slotOf(long token) {
        return (int) (token >>> NUMBER_BITS + 1);
    }

    private static int numberOf(long token) {
        return (int) (token >>> 1) & NUMBER_MASK;
    }

    @Override
    public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
        int at = slotOf(token);
        Slot slot = slots[at];
        slot.left--;
        slot.attempts = 0;
        if (slot.left > 0) {
            return;
        }
        slot.isUsed = false;
        messages++;
        bytes += slot.length;
        messageNanos += sim.now() - slot.start;
        longest = Math.max(longest, sim.now() - slot.start);
        int from = at / settings.outstanding();
        ranks[from].underWay--;
        wake(from);
        Rank receiver = ranks[slot.to];
        if (slot.step > receiver.step) {
            receiver.early.merge(slot.step, 1, Integer::sum);
        } else if (slot.step == receiver.step) {
            receiver.arrived++;
            advance(slot.to);
        }
    }

    @Override
    public void dropped(long token, DropReason reason) {
        int at = slotOf(token);
        dropped[reason.ordinal()]++;
        // It may be lost in the queue of its sender.
        slots[at].exchange(numberOf(token), NOBODY);
        lose(at / settings.outstanding(), slots[at], (token & 1) != 0);
        wake(at / settings.outstanding());
    }

    private SortedMap<String, Long> lost() {
        SortedMap<String, Long> lost = new TreeMap<>();
        for (DropReason reason : DropReason.values()) {
            lost.put(reason.text(), dropped[reason.ordinal()]);
        }
        lost.put(NO_PATH, noPath);
        lost.values().removeIf(count -> count == 0);
        return lost;
    }

    private JobResult result(JobResult.End end) {
        int slowest = -1;
        double sum = 0;
        for (int rank = 0; rank < ranks.length && end == JobResult.End.DONE; rank++) {
            sum += ranks[rank].end;
            slowest = slowest < 0 || ranks[rank].end > ranks[slowest].end ? rank : slowest;
        }
        int busiest = busiest();
        return new JobResult(
                end,
                sim.now(),
                slowest,
                slowest < 0 ? 0 : sum / ranks.length,
                messages,
                bytes,
                messages == 0 ? 0 : messageNanos / messages,
                longest,
                resent,
                lost(),
                busiest,
                busiest == Fabric.NONE ? 0 : use(busiest),
                upkeep.log(),
                upkeep.wasRefused(),
                trouble,
                end == JobResult.End.DEADLOCK ? sim.deadlock() : Optional.empty(),
                end == JobResult.End.STARVED ? sim.starvation() : Optional.empty());
    }

    private int busiest() {
        int busiest = Fabric.NONE;
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            boolean isBetween =
                    peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer));
            if (isBetween && (busiest == Fabric.NONE || use(port) > use(busiest))) {
                busiest = port;
            }
        }
        return busiest;
    }

    private double use(int port) {
        double sent = 0;
        for (int vl = 0; vl < VLS; vl++) {
            sent += sim.figures().bytes(port, vl);
        }
        double most = Math.max(1, sim.now()) * LinkRate.bytesPerNano(fabric.width(port), fabric.speed(port));
        return Math.min(1, sent / most);
    }
}
