package org.railyard.sm.role;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.subnet.SubnetRequests;

/**
 * The role of a subnet manager among others: answers SMInfo, finds others in each sweep, gives way to a higher one,
 * watches the master as long as it is standby (spec 41 §1). Roles and steps are those of {@link SmRole}. For the loop
 * of the transport.
 */
public final class Mastership {
    /** How often the one that took over is asked whether it is master, before a stop. */
    static final int LEAVE_POLLS = 30;

    private static final long LEAVE_INTERVAL = 100_000_000L;
    /** A port that nobody stands at is not to hold each sweep up. */
    private static final int MASTER_RETRIES = 3;

    private static final int POLL_RETRIES = 2;
    private static final int TYPE_INFORMATIONAL = 4;

    /** What follows from it. */
    public interface Effects {
        /** The role is another one. */
        void changed(SmRole role, String why);

        /** The subnet is to be looked at again. */
        void sweep(String why);

        /** Another one is asked to take over: what it is to find has to be there now. */
        void handingOver();

        /**
         * The own port does not say that a subnet manager is there, so that others do not find it: it shall again.
         *
         * @throws ErrnoException if that is not possible
         */
        void markAgain();
    }

    /**
     * How the search for others ended.
     *
     * @param isMaster whether we are master; if not, nothing may be written
     * @param isTakenOver whether another one was master before: what it gave stays
     * @param isDoubtful whether it should be asked again soon
     * @param notes what an operator should know
     */
    public record Verdict(boolean isMaster, boolean isTakenOver, boolean isDoubtful, List<String> notes) {}

    private final MadRequests requests;
    private final MadLoop loop;
    private final long guid;
    private final LongSupplier activity;
    private final Effects effects;
    private final Map<Long, OtherManager> others = new LinkedHashMap<>();
    private List<ManagerSearch.Place> places = List.of();
    private RoleSettings settings;
    private RequestSettings limits;
    private SmRole role = SmRole.NOT_ACTIVE;
    private boolean isHandingOver;
    private boolean isLeaving;
    private boolean granted;
    private @Nullable OtherManager followed;
    private int misses;
    private int ownPort;
    private int ownLid;
    private int masterLid;

    /** The LID that another master has written as its own, since the last search; 0 if none has. */
    private int foreignLid;

    /** Whether the own port said, when it was last asked, that a subnet manager is there. */
    private boolean isMarked = true;

    private @Nullable Runnable timer;

    /**
     * Makes one that is not active.
     *
     * @param guid of the own port
     * @param activity grows while the subnet manager lives
     */
    public Mastership(
            MadRequests requests,
            MadLoop loop,
            long guid,
            RoleSettings settings,
            RequestSettings limits,
            LongSupplier activity,
            Effects effects) {
        this.requests = requests;
        this.loop = loop;
        this.guid = guid;
        this.settings = settings;
        this.limits = limits;
        this.activity = activity;
        this.effects = effects;
    }

    /** Goes by other settings from now on. */
    public void configure(RoleSettings other) {
        settings = other;
    }

    /** Returns what it is. */
    public SmRole role() {
        return role;
    }

    /** Returns the other subnet managers, as they last said of themselves. */
    public List<OtherManager> others() {
        return List.copyOf(others.values());
    }

    /** Returns what others are told. */
    public SmInfo info() {
        return SmInfo.TYPE
                .create()
                .set(SmInfo.GUID, guid)
                .set(SmInfo.SM_KEY, settings.smKey())
                .set(SmInfo.ACT_COUNT, activity.getAsLong() & 0xFFFF_FFFFL)
                .set(SmInfo.PRIORITY, settings.priority())
                .set(SmInfo.STATE, role.code());
    }

    /** Begins: a sweep has to follow. */
    public void start() {
        step(SmRole.DISCOVERING, "start");
    }

    /** Ends it: nothing is asked any more. */
    public void stop() {
        cancel();
        role = SmRole.NOT_ACTIVE;
    }

    private void step(SmRole next, String why) {
        if (!role.leadsTo(next)) {
            throw new IllegalStateException("from " + role + " to " + next + ": " + why);
        }
        cancel();
        role = next;
        effects.changed(next, why);
    }

    private void cancel() {
        if (timer != null) {
            timer.run();
            timer = null;
        }
    }

    private void wake(long delay, Runnable task) {
        timer = loop.schedule(delay, () -> {
            timer = null;
            task.run();
        });
    }

    // Sweeps.

    /**
     * Finds the others after a discovery, and decides.
     *
     * @param done is told once, in the loop
     */
    public void elect(FoundSubnet found, Consumer<Verdict> done) {
        RequestSettings patience =
                role == SmRole.MASTER ? limits.withTimeout(limits.timeoutNanos(), MASTER_RETRIES) : limits;
        int noticed = foreignLid;
        foreignLid = 0;
        ManagerSearch.start(requests, patience, found, noticed, result -> {
            List<OtherManager> heard = result.heard();
            places = result.places();
            hear(heard);
            lookAtOwnPort(found);
            if (role != SmRole.MASTER && role != SmRole.DISCOVERING) {
                done.accept(new Verdict(false, false, false, List.of()));
                return;
            }
            decide(Election.hold(role, granted, settings, guid, heard), done);
        });
    }

    /** Finds the others for a sweep that writes nothing, and tells of them. */
    public void survey(FoundSubnet found, Consumer<Verdict> done) {
        ManagerSearch.start(requests, limits.withTimeout(limits.timeoutNanos(), MASTER_RETRIES), found, 0, result -> {
            hear(result.heard());
            done.accept(new Verdict(
                    true,
                    false,
                    false,
                    result.heard().stream()
                            .map(other -> "there is a subnet manager at " + other.text())
                            .toList()));
        });
    }

    private void hear(List<OtherManager> heard) {
        others.clear();
        heard.forEach(other -> others.put(other.guid(), other));
    }

    private void decide(Election.Outcome outcome, Consumer<Verdict> done) {
        OtherManager other = outcome.other();
        if (other == null) {
            boolean takenOver = role != SmRole.MASTER && (granted || followed != null);
            if (role != SmRole.MASTER) {
                step(SmRole.MASTER, takenOver ? "taken over" : "there is no other master");
            }
            granted = false;
            followed = null;
            others().forEach(each -> callToHandOver(each, each.lid()));
            watchDiscovering();
            done.accept(new Verdict(true, takenOver, false, outcome.notes()));
        } else if (outcome.kind() == Election.Kind.STANDBY) {
            follow(other, "found " + other.text());
            done.accept(new Verdict(false, false, false, outcome.notes()));
        } else {
            handOver(other, accepted -> {
                if (role != SmRole.MASTER) {
                    // It has left meanwhile, or was stopped: nothing may be written, whatever the other says.
                    done.accept(new Verdict(false, false, false, List.of()));
                } else if (accepted) {
                    follow(other, "handed over to " + other.text());
                    done.accept(new Verdict(false, false, false, outcome.notes()));
                } else {
                    List<String> notes = new ArrayList<>(outcome.notes());
                    notes.add("subnet manager at " + other.text() + " is higher, but does not take over");
                    watchDiscovering();
                    done.accept(new Verdict(true, false, true, notes));
                }
            });
        }
    }

    /**
     * Asks those that were discovering as often as a standby asks the master, as long as they answer that: soon they
     * are something else, and no sweep need follow that would find it.
     */
    private void watchDiscovering() {
        cancel();
        List<OtherManager> discovering = others().stream()
                .filter(other -> other.role() == SmRole.DISCOVERING)
                .toList();
        if (role == SmRole.MASTER && !discovering.isEmpty()) {
            wake(
                    settings.pollNanos(),
                    () -> discovering.forEach(other -> ask(other, said -> {
                        // Of another sweep it may be known better by now.
                        if (said != null
                                && said.get(SmInfo.GUID) == other.guid()
                                && others.replace(other.guid(), other, other.with(said))) {
                            watchDiscovering();
                        }
                    })));
        }
    }

    private void lookAtOwnPort(FoundSubnet found) {
        Fabric fabric = found.fabric();
        PortInfo own = found.nodes().get(fabric.nodeOf(found.smPort())).port(fabric.portNumber(found.smPort()));
        ownPort = fabric.portNumber(found.smPort());
        noteLids(own);
        if (own != null && !own.can(PortInfo.CAP_IS_SM)) {
            // It may be marked since it was read; and there may be no light sweep that would ask it.
            lookAtOwnPort(() -> {});
        }
    }

    private void noteLids(@Nullable PortInfo own) {
        ownLid = own == null ? 0 : own.getInt(PortInfo.LID);
        masterLid = own == null ? 0 : own.getInt(PortInfo.MASTER_SM_LID);
    }

    private void follow(OtherManager other, String why) {
        followed = other;
        misses = 0;
        granted = false;
        step(SmRole.STANDBY, why);
        callToHandOver(other, masterLid);
        wake(settings.pollNanos(), this::poll);
    }

    /**
     * Asks the others within a light sweep.
     *
     * @param complete whether the last sweep was: otherwise the own port may be as it is for that reason
     * @param refused whether the last sweep had no routes that may be used, so that it brought no link up
     * @param changed is told why a heavy sweep is needed
     */
    public void look(SubnetRequests exchange, boolean complete, boolean refused, Consumer<String> changed) {
        lookAtOwnPort(exchange, complete, refused, changed);
        // Whoever has not answered may be there all the same: nobody else would ever tell of another master.
        RequestSettings once = limits.withTimeout(limits.timeoutNanos(), 0);
        for (ManagerSearch.Place place : places) {
            RequestSettings patience = others.containsKey(place.guid()) ? limits : once;
            exchange.ask(ManagerSearch.question(place.path()), patience, outcome -> {
                OtherManager now = place.heard(outcome);
                OtherManager gone = now == null ? others.remove(place.guid()) : null;
                if (now != null) {
                    lookedAt(now, changed);
                } else if (gone != null && gone.role() == SmRole.MASTER) {
                    changed.accept("the other master " + gone.text() + " does not answer any more");
                }
            });
        }
    }

    private void lookAtOwnPort(SubnetRequests exchange, boolean complete, boolean refused, Consumer<String> changed) {
        boolean isKnown = others.values().stream()
                .anyMatch(other -> other.role() == SmRole.MASTER && !settings.trusts(other.key()));
        if (role != SmRole.MASTER) {
            return;
        }
        exchange.ask(ownQuestion(), outcome -> {
            PortInfo own = outcome.good(PortInfo.TYPE);
            if (own != null) {
                keepMarked(own, changed);
                if (complete && !isKnown) {
                    lookForForeignMaster(own, refused, changed);
                }
            }
        });
    }

    /** Another master writes itself into all ports, ours too, and takes the bits away that tell of changes. */
    private void lookForForeignMaster(PortInfo own, boolean refused, Consumer<String> changed) {
        noteLids(own);
        if (ownPort > 0 && own.state() != PortState.ACTIVE) {
            if (!refused) {
                changed.accept("the own link was down");
            }
        } else if (masterLid != ownLid) {
            foreignLid = masterLid;
            changed.accept("another subnet manager, at LID " + masterLid + ", has made itself master");
        }
    }

    /**
     * Others look for us only where a port says that a subnet manager is there: who does not find a master becomes one,
     * and two would manage the subnet.
     *
     * @param changed is told of it, once if the port can not be marked
     */
    private void keepMarked(PortInfo own, Consumer<String> changed) {
        boolean wasMarked = isMarked;
        isMarked = own.can(PortInfo.CAP_IS_SM);
        if (isMarked || role != SmRole.MASTER && role != SmRole.STANDBY) {
            return;
        }
        String why = "the own port did not say any more that a subnet manager is there";
        try {
            effects.markAgain();
        } catch (ErrnoException e) {
            why += ", and does not again: " + e.getMessage();
        }
        if (wasMarked) {
            changed.accept(why);
        }
    }

    private void lookedAt(OtherManager now, Consumer<String> changed) {
        others.put(now.guid(), now);
        callToHandOver(now, now.lid());
        if (settings.trusts(now.key())
                && now.role() != SmRole.NOT_ACTIVE
                && now.isHigherThan(settings.priority(), guid)) {
            changed.accept("subnet manager at " + now.text() + " is higher");
        }
    }

    // Standby.

    private void poll() {
        OtherManager master = followed;
        if (role != SmRole.STANDBY || master == null) {
            return;
        }
        ask(master, said -> {
            // Who was asked may not be whom we follow any more: somebody told us to look again meanwhile.
            if (role != SmRole.STANDBY || followed != master) {
                return;
            }
            boolean lives = said != null && said.get(SmInfo.GUID) == master.guid() && leads(master.with(said));
            if (lives) {
                OtherManager now = master.with(said);
                misses = 0;
                followed = now;
                others.put(now.guid(), now);
                lookAtOwnPort(() -> callToHandOver(now, masterLid));
            } else {
                misses++;
            }
            if (misses > settings.pollRetries()) {
                String why = "the master " + master.text() + " does not answer";
                step(SmRole.DISCOVERING, why);
                effects.sweep(why);
            } else {
                wake(settings.pollNanos(), this::poll);
            }
        });
    }

    /** Reads LIDs from the own port, which the master may have changed, and looks whether it can be found there. */
    private void lookAtOwnPort(Runnable then) {
        submit(ownQuestion(), POLL_RETRIES, outcome -> {
            PortInfo own = outcome.good(PortInfo.TYPE);
            if (own != null) {
                noteLids(own);
                keepMarked(own, why -> {});
            }
            then.run();
        });
    }

    private Mad ownQuestion() {
        return Mad.directed(MadMethod.GET, PortInfo.TYPE, Modifiers.port(ownPort), DirectedPath.OWN_NODE);
    }

    private void ask(OtherManager other, Consumer<@Nullable SmInfo> heard) {
        submit(ManagerSearch.question(other.path()), POLL_RETRIES, outcome -> heard.accept(outcome.good(SmInfo.TYPE)));
    }

    private void submit(Mad request, int retries, Consumer<RequestOutcome> heard) {
        try {
            requests.submit(request, MadAddress.DIRECTED, limits.withTimeout(limits.timeoutNanos(), retries), heard);
        } catch (ErrnoException e) {
            heard.accept(new RequestOutcome.Refused(e.errno().number(), 0));
        }
    }

    /** One that is itself no master leads us only as long as it would win against us. */
    private boolean leads(OtherManager other) {
        return other.role() == SmRole.MASTER
                || other.role() != SmRole.NOT_ACTIVE && other.isHigherThan(settings.priority(), guid);
    }

    private boolean isToHandOver(OtherManager master) {
        return master.role() == SmRole.MASTER
                && !master.isHigherThan(settings.priority(), guid)
                && settings.trusts(master.key());
    }

    /** A lower master hands over when it looks at the subnet: trap 144 makes it look. */
    private void callToHandOver(OtherManager master, int lid) {
        if (!isToHandOver(master) || ownLid == 0 || lid == 0) {
            return;
        }
        Notice notice = Notice.TYPE
                .create()
                .set(Notice.IS_GENERIC, 1)
                .set(Notice.TYPE_CODE, TYPE_INFORMATIONAL)
                .set(Notice.PRODUCER_TYPE, Notice.FROM_CA)
                .set(Notice.TRAP_NUMBER, Notice.LOCAL_CHANGES)
                .set(Notice.ISSUER_LID, ownLid);
        notice.details()
                .set(TrapDetails.CHANGES_LID, ownLid)
                .set(TrapDetails.OTHER_CHANGES, 1)
                .set(TrapDetails.CHANGE_FLAGS, TrapDetails.CHANGED_SM_PRIORITY);
        requests.answer(
                Mad.lidRouted(MadMethod.TRAP, Notice.TYPE, 0).setData(Notice.TYPE, notice), MadAddress.smp(lid));
    }

    // Handover.

    private void handOver(OtherManager other, Consumer<Boolean> done) {
        isHandingOver = true;
        effects.handingOver();
        Mad set = Mad.directed(MadMethod.SET, SmInfo.TYPE, SmInfo.HANDOVER, other.path())
                .setData(SmInfo.TYPE, info());
        submit(set, limits.retries(), outcome -> {
            isHandingOver = false;
            done.accept(outcome.good(SmInfo.TYPE) != null);
        });
    }

    /** Tells whether another one is asked to take over, and has not answered. */
    public boolean isHandingOver() {
        return isHandingOver;
    }

    /**
     * Hands over to the best standby, if we are master and there is one, and waits until the subnet takes that
     * for the master, or the patience is at its end. Nothing may be written any more from now on.
     */
    public void leave(Runnable done) {
        isLeaving = true;
        Election.Outcome heir = Election.hold(
                SmRole.DISCOVERING,
                false,
                settings.withPriority(0),
                -1L,
                others().stream()
                        .filter(other -> other.role() == SmRole.STANDBY || other.role() == SmRole.DISCOVERING)
                        .toList());
        OtherManager other = heir.other();
        if (role != SmRole.MASTER || other == null) {
            done.run();
            return;
        }
        handOver(other, accepted -> {
            if (accepted && role == SmRole.MASTER) {
                step(SmRole.NOT_ACTIVE, "handed over to " + other.text() + " before the end");
                awaitMaster(LEAVE_POLLS, done);
            } else {
                done.run();
            }
        });
    }

    /** Whoever sweeps asks us who we are: we answer until the own port has another master. */
    private void awaitMaster(int polls, Runnable done) {
        lookAtOwnPort(() -> {
            if (masterLid != ownLid || polls <= 1) {
                done.run();
            } else {
                wake(LEAVE_INTERVAL, () -> awaitMaster(polls - 1, done));
            }
        });
    }

    // What others send.

    /**
     * Answers a Get or Set of SMInfo, and does what the Set asks for.
     *
     * @param reply sends the answer
     */
    public void received(Mad mad, Consumer<Mad> reply) {
        if (mad.is(MadMethod.GET, false)) {
            reply.accept(mad.answer(MadStatus.OK, 0).setData(SmInfo.TYPE, info()));
            return;
        }
        Runnable follows = mad.is(MadMethod.SET, false) ? asked(mad.modifier(), mad.data(SmInfo.TYPE)) : null;
        int status = follows == null ? MadStatus.BAD_VALUE : MadStatus.OK;
        reply.accept(mad.answer(status, 0).setData(SmInfo.TYPE, info()));
        if (follows != null) {
            follows.run();
        }
    }

    /** Returns what a Set of another one leads to; null if it is refused (spec 41 §1(5)). */
    private @Nullable Runnable asked(int modifier, SmInfo by) {
        OtherManager from = OtherManager.of("0x%016x".formatted(by.get(SmInfo.GUID)), DirectedPath.OWN_NODE, 0, by);
        boolean trusted = settings.smKey() == 0 || from.key() == settings.smKey();
        if (!trusted || from.guid() == guid || from.role() != SmRole.MASTER) {
            return null;
        }
        return switch (modifier) {
            case SmInfo.HANDOVER -> handedOver(from);
            case SmInfo.ACKNOWLEDGE -> () -> {};
            case SmInfo.DISABLE -> when(SmRole.STANDBY, () -> step(SmRole.NOT_ACTIVE, "disabled by " + from.text()));
            // Who leaves does not come back, and would never be done then.
            case SmInfo.TO_STANDBY ->
                isLeaving ? null : when(SmRole.NOT_ACTIVE, () -> lookAgain("activated by " + from.text()));
            case SmInfo.DISCOVER -> when(SmRole.STANDBY, () -> lookAgain("asked to by " + from.text()));
            default -> null;
        };
    }

    private @Nullable Runnable when(SmRole needed, Runnable follows) {
        return role == needed ? follows : null;
    }

    private void lookAgain(String why) {
        step(SmRole.DISCOVERING, why);
        effects.sweep(why);
    }

    private @Nullable Runnable handedOver(OtherManager from) {
        String why = "handed over by " + from.text();
        return switch (role) {
            case NOT_ACTIVE -> null;
            case DISCOVERING -> () -> granted = true;
            case STANDBY ->
                () -> {
                    granted = true;
                    lookAgain(why);
                };
            // A higher one that wants us to be master would take it back in the next sweep.
            case MASTER -> from.isHigherThan(settings.priority(), guid) ? null : () -> effects.sweep(why);
        };
    }
}
