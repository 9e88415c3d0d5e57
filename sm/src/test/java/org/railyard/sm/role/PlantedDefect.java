package org.railyard.sm.role;

import static org.railyard.sm.role.Managers.SECOND;

import java.util.List;
import java.util.Map;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.role.ChaosClient.Group;
import org.railyard.sm.role.ChaosClient.Report;
import org.railyard.sm.role.Managers.One;

/** What is made wrong on purpose at the end of a {@link ClientsRun}: a check has to find it. */
enum PlantedDefect {
    NOTHING,
    /** Somebody with the key takes a member out. */
    TAKEN_OUT,
    /** Somebody with the key puts one in. */
    PUT_IN,
    /** No switch forwards to groups. */
    NOT_FORWARDED,
    /** All switches forward all groups to everybody. */
    FORWARDED,
    /** Somebody with the key removes a service. */
    SERVICE_REMOVED,
    /** Somebody with the key registers one. */
    SERVICE_ADDED,
    /** Somebody with the key renews one that was to end. */
    SERVICE_RENEWED,
    /** A client has not heard one report. */
    REPORT_LOST,
    /** A client has heard one twice. */
    REPORT_TWICE,
    /** A path has another SL. */
    PATH_SL,
    /** A path has another P_Key. */
    PATH_KEY,
    /** A path has a larger MTU. */
    PATH_MTU,
    /** A path has another LID. */
    PATH_LID,
    /** A path is missing. */
    PATH_LOST,
    /** A client asks what is never answered. */
    NOT_ANSWERED;

    private static final long JOIN =
            McMemberRecord.MGID.mask() | McMemberRecord.PORT_GID.mask() | McMemberRecord.JOIN_STATE.mask();
    private static final long SERVICE = ServiceRecord.SERVICE_ID.mask() | ServiceRecord.GID.mask();
    private static final Group GROUP = new Group(new Gid(0xFF12_0000_0000_FFFFL, 77), 0xFFFF);
    private static final int ID = 7777;
    private static final long LEASE = 1000;
    private static final long SHORT = 5;

    /** Registers what will be made wrong, before it becomes quiet. */
    void before(Managers managers, ChaosClient other, ChaosClient client) {
        if (this == NOTHING) {
            return;
        }
        client.join(GROUP, McMemberRecord.FULL_MEMBER, isOk -> {});
        other.join(GROUP, McMemberRecord.FULL_MEMBER, isOk -> {});
        client.serve(ID, this == SERVICE_RENEWED ? SHORT : LEASE);
        if (this == NOT_ANSWERED) {
            Mad unknown = Mad.sa(MadMethod.GET, ServiceRecord.TYPE, 0);
            unknown.saHeader().set(SaHeader.SM_KEY, ID);
            client.ask(unknown::copy, answer -> {});
        }
        managers.subnet.loop().runFor(SECOND);
    }

    /** Makes it wrong, when it is quiet. */
    void now(Managers managers, One master, ChaosClient client) {
        switch (this) {
            case TAKEN_OUT -> member(MadMethod.DELETE, master, client, GROUP);
            case PUT_IN -> {
                client.joined.remove(GROUP);
                client.left.put(GROUP, managers.subnet.loop().nanoTime());
            }
            case NOT_FORWARDED -> forward(managers, 0);
            case FORWARDED -> forward(managers, 0xFFFF);
            case SERVICE_REMOVED -> service(MadMethod.DELETE, master, client, ID);
            case SERVICE_RENEWED -> service(MadMethod.SET, master, client, ID);
            case SERVICE_ADDED -> service(MadMethod.SET, master, client, ID + 1);
            case REPORT_LOST -> client.reports.removeIf(PlantedDefect::isOfGroup);
            case REPORT_TWICE ->
                client.reports.addAll(
                        client.reports.stream().filter(PlantedDefect::isOfGroup).toList());
            default -> {
                // Before, or in the paths.
            }
        }
    }

    private static boolean isOfGroup(Report report) {
        return report.trap() == Notice.GROUP_CREATED && report.gid().equals(GROUP.mgid());
    }

    /** Makes that of the paths wrong that leads from one client to another. */
    void paths(List<SaPathRecord> records, ChaosClient from, ChaosClient to) {
        SaPathRecord record = records.stream()
                .filter(each -> each.getGid(SaPathRecord.SGID).equals(from.gid)
                        && each.getGid(SaPathRecord.DGID).equals(to.gid))
                .findFirst()
                .orElseThrow();
        Map<PlantedDefect, Runnable> all = Map.of(
                PATH_SL, () -> record.set(SaPathRecord.SL, record.getInt(SaPathRecord.SL) ^ 8),
                PATH_KEY, () -> record.set(SaPathRecord.P_KEY, 0x8123),
                PATH_MTU, () -> record.set(SaPathRecord.MTU, record.getInt(SaPathRecord.MTU) + 1),
                PATH_LID, () -> record.set(SaPathRecord.DLID, record.getInt(SaPathRecord.DLID) + 1),
                PATH_LOST, () -> records.remove(record));
        all.getOrDefault(this, () -> {}).run();
    }

    private static void ask(One master, Mad request) {
        request.saHeader().set(SaHeader.SM_KEY, 1);
        int status = master.master
                .administration()
                .answer(request, MadAddress.gmp(master.lid(), 0))
                .orElseThrow()
                .status();
        if (status != MadStatus.OK) {
            throw new IllegalStateException("nothing was planted: status 0x%x".formatted(status));
        }
    }

    private static void member(MadMethod method, One master, ChaosClient client, Group group) {
        Mad request = Mad.sa(method, McMemberRecord.TYPE, JOIN);
        request.data(McMemberRecord.TYPE)
                .setGid(McMemberRecord.MGID, group.mgid())
                .setGid(McMemberRecord.PORT_GID, client.gid)
                .set(McMemberRecord.JOIN_STATE, McMemberRecord.FULL_MEMBER);
        ask(master, request);
    }

    private static void service(MadMethod method, One master, ChaosClient client, int id) {
        Mad request = Mad.sa(method, ServiceRecord.TYPE, SERVICE);
        request.data(ServiceRecord.TYPE).set(ServiceRecord.SERVICE_ID, id).setGid(ServiceRecord.GID, client.gid);
        ask(master, request);
    }

    /** Writes the same into all entries of the first groups, at each switch itself. */
    private static void forward(Managers managers, int ports) {
        Fabric fabric = managers.fabric;
        AttributeType<MulticastForwardingTable> type = MulticastForwardingTable.TYPE;
        MulticastForwardingTable table = type.create();
        for (int entry = 0; entry < MulticastForwardingTable.BLOCK; entry++) {
            table.set(MulticastForwardingTable.MASKS, entry, ports);
        }
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            SimulatedPort port = managers.subnet.attach(fabric.portIndex(sw, 0));
            port.send(
                    Mad.directed(MadMethod.SET, type, 0, DirectedPath.of()).setData(type, table),
                    MadAddress.DIRECTED,
                    1000);
            managers.subnet.loop().runFor(SECOND / 100);
            port.close();
        }
    }
}
