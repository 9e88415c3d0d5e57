package org.railyard.sm.role;

import static org.railyard.sm.role.Managers.SECOND;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.rmpp.RmppTransport;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.ReportNotice;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.sim.SimulatedNode;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.MgmtClass;

/**
 * A program at a host: asks one thing after the other until it is answered, registers all again whenever it is told to,
 * and confirms reports.
 */
final class ChaosClient {
    private static final long POLL = SECOND / 10;
    private static final long PAUSE = SECOND;
    private static final long JOIN =
            McMemberRecord.MGID.mask() | McMemberRecord.PORT_GID.mask() | McMemberRecord.JOIN_STATE.mask();
    private static final long CREATE = JOIN
            | McMemberRecord.Q_KEY.mask()
            | McMemberRecord.TCLASS.mask()
            | McMemberRecord.P_KEY.mask()
            | McMemberRecord.FLOW_LABEL.mask()
            | McMemberRecord.SL.mask();
    private static final long SERVICE =
            ServiceRecord.SERVICE_ID.mask() | ServiceRecord.GID.mask() | ServiceRecord.LEASE.mask();
    private static final int Q_KEY = 7;
    private static final int ALL = 0xFFFF;
    private static final int ALL_STATES = 0xF;

    /** A group that it may join; its address tells its partition. */
    record Group(Gid mgid, int key) {}

    /**
     * A service that was registered.
     *
     * @param notBefore its lease ends then at the earliest, ns
     * @param notAfter and then at the latest, ns, unless it was kept
     */
    record Service(long lease, long notBefore, long notAfter, long registeredAt) {}

    /** A report; the same one that came again is none. */
    record Report(int trap, Gid gid, long at) {}

    /** Something to ask. The request is made when its turn has come: nothing if it is not wanted any more. */
    private record Task(Supplier<@Nullable Mad> request, Consumer<Mad> answered) {}

    private record Transaction(int fromLid, long tid) {}

    final int port;
    final String name;
    final Gid gid;
    /** What it is a member of, as it was told: state of each. */
    final Map<Group, Integer> joined = new LinkedHashMap<>();
    /** What it has left: when. */
    final Map<Group, Long> left = new LinkedHashMap<>();

    final Map<Integer, Service> services = new LinkedHashMap<>();
    /** By service: when it was removed. */
    final Map<Integer, Long> removed = new LinkedHashMap<>();

    final List<Report> reports = new ArrayList<>();
    private final Managers managers;
    private final SimulatedPort transport;
    private final MadRequests requests;
    private final SimulatedNode node;
    private final Set<Integer> traps = new LinkedHashSet<>();
    private final Set<Transaction> heard = new LinkedHashSet<>();
    private final Deque<Task> tasks = new ArrayDeque<>();
    private boolean isAsking;
    private int told;

    ChaosClient(Managers managers, int port) {
        this.managers = managers;
        this.port = port;
        name = managers.fabric.portName(port);
        gid = new Gid(Gid.DEFAULT_PREFIX, managers.fabric.portGuid(port));
        node = managers.subnet.node(managers.fabric.nodeOf(port));
        transport = managers.subnet.attach(port);
        requests = new MadRequests(
                RmppTransport.before(transport, RmppSettings.DEFAULT),
                RequestSettings.DEFAULT.withTimeout(SECOND, 3),
                this::heard);
        poll();
    }

    /** Whether all it wanted was answered, and nobody asked it to register again. */
    boolean isIdle() {
        return tasks.isEmpty() && !isAsking && told == node.reregistrations();
    }

    private long now() {
        return managers.subnet.loop().nanoTime();
    }

    private void poll() {
        if (told != node.reregistrations()) {
            told = node.reregistrations();
            List.copyOf(joined.keySet()).forEach(group -> ask(() -> again(group), answer -> {}));
            List.copyOf(services.keySet()).forEach(this::renew);
            traps.forEach(trap -> ask(() -> inform(trap), answer -> {}));
        }
        managers.subnet.loop().schedule(POLL, this::poll);
    }

    // What it asks.

    /** Asks until there is an answer. */
    void ask(Supplier<@Nullable Mad> request, Consumer<Mad> answered) {
        tasks.addLast(new Task(request, answered));
        next();
    }

    private void next() {
        Task task = tasks.peekFirst();
        if (isAsking || task == null) {
            return;
        }
        Mad mad = task.request.get();
        if (mad == null) {
            tasks.removeFirst();
            next();
            return;
        }
        isAsking = true;
        int sm = node.portInfo(managers.fabric.portNumber(port)).getInt(PortInfo.MASTER_SM_LID);
        if (sm == 0) {
            again();
            return;
        }
        managers.subnet.loop().execute(() -> requests.submit(mad, MadAddress.gmp(sm, 0), this::ended));
    }

    /** Sends one datagram to the subnet administration, whatever it is, and waits for nothing. */
    void sendAnything(Mad mad) {
        int sm = node.portInfo(managers.fabric.portNumber(port)).getInt(PortInfo.MASTER_SM_LID);
        transport.send(mad, MadAddress.gmp(sm, 0), 0);
    }

    private void again() {
        managers.subnet.loop().schedule(PAUSE, () -> {
            isAsking = false;
            next();
        });
    }

    private void ended(RequestOutcome outcome) {
        if (outcome instanceof RequestOutcome.Answered answered
                && answered.mad().status() != MadStatus.BUSY) {
            isAsking = false;
            tasks.removeFirst().answered.accept(answered.mad());
            next();
        } else {
            again();
        }
    }

    void join(Group group, int state, Consumer<Boolean> isToHave) {
        ask(() -> member(MadMethod.SET, group, state, CREATE), answer -> {
            boolean isOk = answer.status() == MadStatus.OK;
            if (isOk) {
                joined.put(group, answer.data(McMemberRecord.TYPE).getInt(McMemberRecord.JOIN_STATE));
                left.remove(group);
            }
            isToHave.accept(isOk);
        });
    }

    private @Nullable Mad again(Group group) {
        Integer state = joined.get(group);
        return state == null ? null : member(MadMethod.SET, group, state, CREATE);
    }

    void leave(Group group) {
        ask(() -> joined.containsKey(group) ? member(MadMethod.DELETE, group, ALL_STATES, JOIN) : null, answer -> {
            // Refused if an answer to the same request was lost.
            takenOut(group);
        });
    }

    /** It has lost the P_Key of a group. */
    void takenOut(Group group) {
        joined.remove(group);
        left.put(group, now());
    }

    private Mad member(MadMethod method, Group group, int state, long mask) {
        Mad request = Mad.sa(method, McMemberRecord.TYPE, mask);
        request.data(McMemberRecord.TYPE)
                .setGid(McMemberRecord.MGID, group.mgid)
                .setGid(McMemberRecord.PORT_GID, gid)
                .set(McMemberRecord.P_KEY, group.key)
                .set(McMemberRecord.Q_KEY, Q_KEY)
                .set(McMemberRecord.JOIN_STATE, state);
        return request;
    }

    void serve(int id, long lease) {
        long[] asked = {0};
        ask(
                () -> {
                    asked[0] = now();
                    return service(MadMethod.SET, id, lease);
                },
                answer -> {
                    if (answer.status() == MadStatus.OK) {
                        services.put(id, new Service(lease, asked[0] + lease * SECOND, now() + lease * SECOND, now()));
                        removed.remove(id);
                    }
                });
    }

    /** A lease that has not ended begins anew. */
    private void renew(int id) {
        Service known = services.get(id);
        if (known != null && known.notBefore > now()) {
            serve(id, known.lease);
        }
    }

    void unserve(int id) {
        ask(() -> services.containsKey(id) ? service(MadMethod.DELETE, id, 0) : null, answer -> {
            services.remove(id);
            removed.put(id, now());
        });
    }

    private Mad service(MadMethod method, int id, long lease) {
        Mad request = Mad.sa(method, ServiceRecord.TYPE, SERVICE);
        request.data(ServiceRecord.TYPE)
                .set(ServiceRecord.SERVICE_ID, id)
                .set(ServiceRecord.LEASE, lease)
                .setGid(ServiceRecord.GID, gid);
        return request;
    }

    void subscribe(int trap) {
        traps.add(trap);
        ask(() -> inform(trap), answer -> {});
    }

    private static Mad inform(int trap) {
        Mad request = Mad.sa(MadMethod.SET, InformInfo.TYPE, 0);
        request.data(InformInfo.TYPE)
                .set(InformInfo.LID_BEGIN, ALL)
                .set(InformInfo.IS_GENERIC, 1)
                .set(InformInfo.SUBSCRIBE, 1)
                .set(InformInfo.TYPE_CODE, ALL)
                .set(InformInfo.TRAP_NUMBER, trap)
                .set(InformInfo.PRODUCER_TYPE, 0xFFFFFF);
        return request;
    }

    // What it hears.

    private void heard(Mad mad, MadAddress from) {
        if (!mad.is(MadMethod.REPORT, false)) {
            return;
        }
        requests.answer(mad.copy().set(Mad.RESPONSE, 1), from.forAnswer(MgmtClass.SA));
        if (heard.add(new Transaction(from.lid(), mad.get(Mad.TRANSACTION_ID)))) {
            Notice notice = mad.data(ReportNotice.TYPE).notice();
            int trap = notice.getInt(Notice.TRAP_NUMBER);
            Gid about = trap >= Notice.IN_SERVICE && trap <= Notice.GROUP_DELETED
                    ? notice.details().getGid(TrapDetails.GID)
                    : mad.data(ReportNotice.TYPE).getGid(ReportNotice.ISSUER_GID);
            reports.add(new Report(trap, about, now()));
        }
    }

    /** A subnet manager that starts has transactions that another one had. */
    void forgetTransactions() {
        heard.clear();
    }

    boolean wants(int trap) {
        return traps.contains(trap) || traps.contains(ALL);
    }
}
