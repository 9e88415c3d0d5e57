package org.railyard.cli.demo;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.nid.Nid;

/**
 * The line that shows how the demo goes: rewritten in place on a terminal, one line per phase elsewhere. Watches health
 * meanwhile.
 */
final class Progress {
    private static final int FULL_HEALTH = 1000;

    private final PrintWriter out;
    private final DemoClient client;
    private final LNet left;
    private final LNet right;
    private final boolean live;
    private final Map<Nid, Integer> lowest = new LinkedHashMap<>();
    private int lowestInPhase = FULL_HEALTH;
    private String phase = "";
    private long phaseStart;
    private long phaseTransactions;
    private long phaseBytes;
    private long phaseResends;
    private long phaseTimeOuts;
    private long phaseRepeats;

    // The check believes that there is always a console; java.base's own is there only when a person is.
    @SuppressWarnings("SystemConsoleNull")
    Progress(PrintWriter out, DemoClient client, LNet left, LNet right) {
        this.out = out;
        this.client = client;
        this.left = left;
        this.right = right;
        this.live = System.console() != null && System.console().isTerminal();
    }

    /** Returns how often a node has sent a message again. */
    static long resends(LNet node) {
        return node.statistics().get(Statistic.RESEND_COUNT);
    }

    private long resends() {
        return resends(left) + resends(right);
    }

    /** Begins a phase. */
    void phase(String name) {
        end();
        phase = name;
        phaseStart = System.nanoTime();
        phaseTransactions = client.transactions();
        phaseBytes = client.bytes();
        phaseResends = resends();
        phaseTimeOuts = client.timeOuts();
        phaseRepeats = client.repeats();
        lowestInPhase = lowestNow();
    }

    /** Looks at the health, and shows how it goes, on a terminal. */
    void tick() {
        look();
        if (live) {
            out.print("\r" + line() + "   ");
            out.flush();
        }
    }

    /** Ends the phase and leaves its line on the screen. */
    void end() {
        if (!phase.isEmpty()) {
            look();
            out.println((live ? "\r" : "") + line() + (live ? "   " : ""));
            out.flush();
            phase = "";
        }
    }

    private void look() {
        healthNow().forEach((nid, health) -> lowest.merge(nid, health, Math::min));
        lowestInPhase = Math.min(lowestInPhase, lowestNow());
    }

    private int lowestNow() {
        return healthNow().values().stream().mapToInt(Integer::intValue).min().orElse(FULL_HEALTH);
    }

    /** Health by NID, as the node thinks that thinks less of it. */
    private Map<Nid, Integer> healthNow() {
        Map<Nid, Integer> health = new LinkedHashMap<>();
        for (LNet node : List.of(left, right)) {
            node.nis().forEach(ni -> health.merge(ni.nid(), ni.health(), Math::min));
            node.peers().stream()
                    .flatMap(peer -> peer.nis().stream())
                    .forEach(ni -> health.merge(ni.nid(), ni.health(), Math::min));
        }
        return health;
    }

    /** Returns the lowest health that either node saw in a NID. */
    int lowest(Nid nid) {
        return lowest.getOrDefault(nid, FULL_HEALTH);
    }

    private String line() {
        double seconds = Math.max(1e-9, (System.nanoTime() - phaseStart) / 1e9);
        return String.format(
                Locale.ROOT,
                "%-13s %4.1f s %7d transactions %6.2f GB/s  %d resent, %d timed out, %d repeated, %d lost; health %s",
                phase,
                seconds,
                client.transactions() - phaseTransactions,
                (client.bytes() - phaseBytes) / 1e9 / seconds,
                resends() - phaseResends,
                client.timeOuts() - phaseTimeOuts,
                client.repeats() - phaseRepeats,
                client.lost(),
                health());
    }

    /**
     * The lowest health in this phase and now, of the NI that fares worst and as the node thinks that thinks least of
     * it.
     */
    private String health() {
        int now = lowestNow();
        return lowestInPhase < now ? lowestInPhase + "→" + now : Integer.toString(now);
    }
}
