package org.railyard.sm.master;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.rmpp.RmppTransport;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.transport.SplitTransport;
import org.railyard.mad.wire.Mad;
import org.railyard.sm.SmListener;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SubnetManager;
import org.railyard.sm.SweepReport;
import org.railyard.sm.TextStore;
import org.railyard.sm.model.PartitionKeys;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.sa.SaCounters;
import org.railyard.sm.sa.SaSettings;
import org.railyard.sm.sa.SaStore;
import org.railyard.sm.sa.SubnetAdministration;

/**
 * The subnet manager and the subnet administration of a subnet, at one port (spec 41): what the one finds the other
 * answers with, and the multicast groups of the other are routed by the one. The subnet administration answers only as
 * long as the subnet manager is master. Of an earlier mastership, or another master, it knows what a store has kept, if
 * there is one; clients are asked to register again in any case.
 * Everything is to be called in the loop of the transport.
 */
public final class Master {
    /** Reports to subscribers that may be unanswered at a time. */
    public static final int OUTSTANDING_REPORTS = 16;

    /**
     * How many of them may be to one port: the next one waits until the port has confirmed the one before, or is given
     * up. Of two, one that is lost and sent again would come after the one that followed it, and the port would take
     * for true what has changed since. One that confirms none does not hold up those to others.
     */
    public static final int REPORTS_TO_A_PORT = 1;

    /**
     * Longest request that is received where we do RMPP, bytes: that of MultiPathRecord with 2 · 255 GIDs, the longest
     * there is, has half of it. What is longer is stopped: all that may arrive at a time has to fit into memory.
     */
    public static final int MAX_REQUEST_BYTES = 1 << 14;

    private final SubnetManager manager;
    private final MadRequests answers;
    private SaSettings sa;
    private PartitionKeys keys;
    private final RequestSettings requests;
    private final int lmc;
    private final MadLoop loop;
    private SubnetAdministration administration;
    private @Nullable KeptState kept;
    private InstantSource clock = () -> Instant.EPOCH;
    private Consumer<String> told = text -> {};

    /** What was taken from the store since it was no standby any more; null before that. */
    private @Nullable String restored;

    /** Whether the store is not looked at any more: this is master, or what is there can not be used. */
    private boolean isSettled;

    /**
     * Makes both; nothing is sent.
     *
     * @param transport becomes the master's, but closing it is left to the caller
     * @param rmpp how long answers are sent, if the transport leaves that to us; of long requests see
     *     {@link #MAX_REQUEST_BYTES}
     * @param listener hears of the subnet manager's sweeps, after the subnet administration
     */
    public Master(
            MadTransport transport,
            RmppSettings rmpp,
            SmSettings sm,
            SaSettings sa,
            TextStore store,
            SmListener listener) {
        SplitTransport split = new SplitTransport(transport, OUTSTANDING_REPORTS);
        RmppSettings requestsOnly = rmpp.withMaxBytes(Math.min(rmpp.maxBytes(), MAX_REQUEST_BYTES));
        MadTransport reassembling = RmppTransport.before(split.others(), requestsOnly);
        RequestSettings window =
                RequestSettings.DEFAULT.withWindow(OUTSTANDING_REPORTS, OUTSTANDING_REPORTS, REPORTS_TO_A_PORT);
        answers = new MadRequests(reassembling, window, this::received);
        this.sa = sa;
        this.requests = sm.requests();
        this.lmc = sm.lmc();
        loop = transport.loop();
        keys = sm.keys();
        administration = administration(sa);
        manager = new SubnetManager(split.smps(), sm, store, new Both(listener), (mad, from) -> {});
    }

    /**
     * Keeps multicast groups, services, subscriptions and alias GUIDs while this is the master, and takes them when it
     * may become one. In the loop, before {@link #start}.
     *
     * @param to where they are kept
     * @param timeOfDay of all who keep there: leases go on by it while nobody is master
     * @param listener hears what was taken, and what went wrong, in any thread: without the store all goes on
     */
    public void keepIn(SaStore to, InstantSource timeOfDay, Consumer<String> listener) {
        KeptState state = new KeptState(to, listener);
        kept = state;
        clock = timeOfDay;
        told = listener;
        administration.keep(state::save, timeOfDay);
    }

    /** Keeps what has changed for clients, and waits for it: whoever is master next reads it. */
    private void saveNow() {
        administration.saveNow();
        if (kept != null) {
            kept.await();
        }
    }

    /**
     * Takes what was kept; a sweep that comes later routes it. One that becomes master looks again: the master that
     * hands over has kept there what came while this one was discovering.
     */
    private void restore(SmRole role) {
        KeptState from = kept;
        if (from == null || isSettled) {
            return;
        }
        isSettled = role == SmRole.MASTER;
        boolean isFirst = restored == null;
        try {
            String text = from.load();
            if (text.equals(restored)) {
                return;
            }
            restored = text;
            if (!isFirst) {
                forgetClients();
            }
            if (!text.isEmpty()) {
                administration.restore(text, clock.instant());
                SaCounters counters = administration.counters();
                told.accept(("kept from before: multicast groups: %d, members: %d, services: %d, subscriptions: %d,"
                                + " alias GUIDs: %d")
                        .formatted(
                                counters.groups(),
                                counters.memberships(),
                                counters.services(),
                                counters.subscriptions(),
                                counters.aliases()));
                manager.multicast(administration.groups());
                manager.portGuids(administration.portGuids());
            }
        } catch (RuntimeException e) {
            // Whatever a store throws, and what is no such text: a subnet is better without than without a master.
            isSettled = true;
            told.accept("what was kept of multicast groups, services, subscriptions and alias GUIDs is not used: "
                    + e.getMessage());
        }
    }

    /** Begins with a subnet administration that knows of nobody; what the one before has not kept yet is given up. */
    private void forgetClients() {
        administration.close();
        administration = administration(sa);
        if (kept != null) {
            kept.leave();
            administration.keep(kept::save, clock);
        }
        manager.multicast(List.of());
        manager.portGuids(List.of());
    }

    /** Returns the subnet manager. */
    public SubnetManager manager() {
        return manager;
    }

    /** Returns the subnet administration. */
    public SubnetAdministration administration() {
        return administration;
    }

    /**
     * Returns how many answers to clients were not sent, as too many were under way or the port did not take them, or
     * were not received to their end.
     */
    public long answersNotSent() {
        return answers.counters().answersLost();
    }

    /**
     * Makes one that knows of nobody, but which P_Keys ports shall have: before the first sweep that writes them, ports
     * have others.
     */
    private SubnetAdministration administration(SaSettings settings) {
        SubnetAdministration made = new SubnetAdministration(
                settings, answers, loop, this::groupsChanged, this::guidsChanged, () -> manager.managers());
        made.configure(settings, keys);
        return made;
    }

    private void received(Mad mad, MadAddress from) {
        // The next master finds what was written before; clients ask again when they get no answer.
        if (manager.role() == SmRole.MASTER && !manager.isHandingOver()) {
            administration.received(mad, from);
        }
    }

    /**
     * Takes other settings for both, and sweeps. How requests are sent stays, and so do multicast groups, services,
     * subscriptions and alias GUIDs.
     *
     * @param administration settings with the same prefix and limits
     * @param why what the sweep is made for
     * @return what stays otherwise than the settings have it, one line each
     * @throws IllegalArgumentException if prefix or limits differ; nothing has changed then
     */
    public List<String> configure(SmSettings sm, SaSettings administration, String why) {
        List<String> notes = new ArrayList<>(this.administration.configure(administration, sm.keys()));
        if (!sm.requests().equals(requests)) {
            notes.add("transaction_timeout, transaction_retries and max_wire_smps stay as they were until a restart");
        }
        if (sm.lmc() != lmc) {
            notes.add("lmc stays " + lmc + " until a restart: with another one ports lose LIDs that they have");
        }
        sa = administration;
        keys = sm.keys();
        manager.configure(sm.withLids(sm.lidOrder(), lmc, sm.keepLids()), why);
        return notes;
    }

    /** Begins the first sweep; requests are answered from its end on. */
    public void start() {
        manager.start();
    }

    /** Only looks, in place of {@link #start}: see {@link SubnetManager#watch}. No request is answered. */
    public void watch() {
        manager.watch();
    }

    /** Ends both: nothing is sent any more. What has changed for clients is kept. */
    public void stop() {
        saveNow();
        administration.close();
        answers.close();
        manager.stop();
    }

    /**
     * Hands over to a standby, if there is one, and then ends both.
     *
     * @param done is called, in the loop, when they have ended
     */
    public void leave(Runnable done) {
        manager.leave(() -> {
            stop();
            done.run();
        });
    }

    private void groupsChanged() {
        manager.multicast(administration.groups());
    }

    private void guidsChanged() {
        manager.portGuids(administration.portGuids());
    }

    private final class Both implements SmListener {
        private final SmListener listener;

        Both(SmListener listener) {
            this.listener = listener;
        }

        @Override
        public void swept(SweepReport report) {
            listener.swept(report);
        }

        @Override
        public void published(SubnetSnapshot snapshot) {
            administration.update(snapshot);
            listener.published(snapshot);
        }

        @Override
        public void trapped(Notice notice, int fromLid, String text) {
            administration.trap(notice, fromLid);
            listener.trapped(notice, fromLid, text);
        }

        @Override
        public void noisy(int fromLid, boolean isIgnored, String text) {
            listener.noisy(fromLid, isIgnored, text);
        }

        @Override
        public void handingOver() {
            saveNow();
        }

        @Override
        public void role(SmRole role, String why) {
            if (role == SmRole.DISCOVERING || role == SmRole.MASTER) {
                restore(role);
            } else {
                // What there was belongs to the next master: nothing more is written.
                forgetClients();
                restored = null;
                isSettled = false;
            }
            listener.role(role, why);
        }

        @Override
        public void failed(ErrnoException why) {
            saveNow();
            listener.failed(why);
        }
    }
}
