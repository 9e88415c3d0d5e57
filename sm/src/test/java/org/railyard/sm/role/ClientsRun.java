package org.railyard.sm.role;

import static org.railyard.sm.role.Managers.PATIENCE;
import static org.railyard.sm.role.Managers.SECOND;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.InformInfoRecord;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.MultiPathRecord;
import org.railyard.mad.sa.NodeRecord;
import org.railyard.mad.sa.PortInfoRecord;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.sa.SlToVlRecord;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.RmppHeader;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.SmSettings;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.role.ChaosClient.Group;
import org.railyard.sm.role.ChaosClient.Report;
import org.railyard.sm.role.Managers.One;
import org.railyard.sm.sa.SaCounters;
import org.railyard.sm.sa.SaSettings;
import org.railyard.sm.sa.SaStore;

/**
 * Clients of subnet administration, by a seed: they join and leave multicast groups, register services, subscribe to
 * reports and ask for paths, while masters change, hosts, switches and cables come and go, partitions are changed, and
 * MADs are lost. Whenever it has become quiet, what subnet administration and the devices hold has to be what the
 * clients were told.
 */
final class ClientsRun {
    static final int ROUNDS = 3;
    private static final int EVENTS = 10;
    private static final int MANAGERS = 2;
    private static final int SUBSCRIBERS = 2;
    private static final int MOST_VIOLATIONS = 4;
    private static final int FIRST_KEY = 0x8010;
    private static final int KEYS = 3;
    private static final int ADDRESSES = 3;
    private static final int PARTITION = 0x7FFF;
    private static final long FOR_EVER = 0xFFFF_FFFFL;
    private static final int ALL_TRAPS = 0xFFFF;
    private static final long SA_KEY = 1;

    /** So long after a change it is kept for certain. */
    private static final long KEPT = 3 * SECOND;

    private static final int NONSENSE = 100;

    private static final List<AttributeType<?>> ATTRIBUTES = List.of(
            SaPathRecord.TYPE,
            MultiPathRecord.TYPE,
            McMemberRecord.TYPE,
            ServiceRecord.TYPE,
            NodeRecord.TYPE,
            PortInfoRecord.TYPE,
            SlToVlRecord.TYPE,
            InformInfoRecord.TYPE);
    private static final List<MadMethod> QUESTIONS =
            List.of(MadMethod.GET, MadMethod.GET_TABLE, MadMethod.GET_MULTI, MadMethod.GET_TRACE_TABLE);
    private static final List<Integer> STATES = List.of(1, 1, 1, 2, 4, 8);

    private final SplittableRandom random;
    private final PlantedDefect planted;
    private final Managers managers;
    private final Fabric fabric;
    private final List<String> hosts = new ArrayList<>();
    private final One[] live = new One[MANAGERS];
    private final int[] priorities = new int[MANAGERS];
    private final List<ChaosClient> clients = new ArrayList<>();
    /** Those that hear reports, and never lose their cable. */
    private final List<ChaosClient> subscribers = new ArrayList<>();

    private final TreeSet<Integer> pulled = new TreeSet<>();
    private int off = Fabric.NONE;
    private int cut = Fabric.NONE;
    private final List<String> story = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private PartitionsConf conf = PartitionsConf.parse("Default=0x7fff, ipoib : ALL=full ;\n");
    private int nextService = 1;

    /** When masters ended without a word, or there was none: after that what was kept counts. */
    private final TreeSet<Long> kills = new TreeSet<>();

    // Of a round.
    private boolean isLast;
    private boolean isCalm;
    private boolean sameMaster;
    private final TreeSet<Integer> pulledBefore = new TreeSet<>();
    private final TreeSet<Integer> flapped = new TreeSet<>();
    private final List<ChaosClient> renamed = new ArrayList<>();
    private final TreeSet<String> groupsBefore = new TreeSet<>();
    private long notHeard;
    private long checked;

    private static final class InMemory implements SaStore {
        private String text = "";

        @Override
        public String load() {
            return text;
        }

        @Override
        public CompletableFuture<Void> save(String newText) {
            text = newText;
            return CompletableFuture.completedFuture(null);
        }
    }

    ClientsRun(long seed, PlantedDefect planted) {
        this.planted = planted;
        random = new SplittableRandom(seed);
        SampleTorus torus = Managers.torus(random);
        SimulationSettings settings = new SimulationSettings(500, 0, 10_000, 64, SECOND);
        managers = new Managers(torus, settings, random.nextLong());
        fabric = managers.fabric;
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            hosts.add(random.nextInt(hosts.size() + 1), fabric.description(node));
        }
        if (random.nextBoolean()) {
            managers.store = new InMemory();
        }
    }

    /** How often something was compared. */
    long checked() {
        return checked;
    }

    /** Runs all of it; returns what was wrong, nothing if all was right. */
    List<String> run() {
        for (int which = 0; which < MANAGERS; which++) {
            start(which);
        }
        managers.subnet.loop().runFor(10 * SECOND);
        for (int i = MANAGERS; i < hosts.size(); i++) {
            clients.add(new ChaosClient(managers, managers.port(hosts.get(i))));
        }
        subscribers.addAll(clients.subList(0, SUBSCRIBERS));
        subscribers.getFirst().subscribe(ALL_TRAPS);
        for (int trap : List.of(Notice.IN_SERVICE, Notice.OUT_OF_SERVICE, Notice.GROUP_CREATED, Notice.LOCAL_CHANGES)) {
            subscribers.getLast().subscribe(trap);
        }
        reload();
        for (int round = 0; round < ROUNDS && violations.isEmpty(); round++) {
            quiet();
            begin();
            for (int event = 0; event < EVENTS; event++) {
                happens();
                managers.subnet
                        .loop()
                        .runFor(
                                switch (random.nextInt(4)) {
                                    case 0 -> random.nextLong(30_000_000);
                                    case 1 -> random.nextLong(SECOND);
                                    default -> random.nextLong(10 * SECOND);
                                });
            }
            if (round == ROUNDS - 1) {
                planted.before(managers, clients.getLast(), subscribers.getFirst());
            }
            quiet();
            if (violations.isEmpty()) {
                isLast = round == ROUNDS - 1;
                compare();
            }
        }
        List<String> all = new ArrayList<>(violations.subList(0, Math.min(MOST_VIOLATIONS, violations.size())));
        if (!all.isEmpty()) {
            all.add(story.toString());
        }
        return all;
    }

    private void begin() {
        isCalm = random.nextInt(3) > 0;
        sameMaster = true;
        tell(isCalm ? "a calm round" : "a round");
        pulledBefore.clear();
        clients.stream().filter(this::isGone).forEach(client -> pulledBefore.add(client.port));
        flapped.clear();
        renamed.clear();
        groupsBefore.clear();
        groupsBefore.addAll(groups());
        subscribers.forEach(each -> each.reports.clear());
        notHeard = notHeard();
    }

    private void tell(String what) {
        story.add("%.6f: %s".formatted(now() / 1e9, what));
    }

    private long now() {
        return managers.subnet.loop().nanoTime();
    }

    private long notHeard() {
        SaCounters counters = master().master.administration().counters();
        return counters.reportsUnanswered() + counters.reportsDropped();
    }

    private TreeSet<String> groups() {
        TreeSet<String> all = new TreeSet<>();
        check().records(McMemberRecord.TYPE).forEach(record -> add(all, record.getGid(McMemberRecord.MGID)));
        return all;
    }

    /** Of groups of other partitions not everybody is told. */
    private static void add(TreeSet<String> all, Gid mgid) {
        if ((mgid.prefix() & PKeyTable.DEFAULT_KEY) == PKeyTable.DEFAULT_KEY) {
            all.add(mgid.toString());
        }
    }

    private ClientsCheck check() {
        return new ClientsCheck(managers, master(), conf, violations);
    }

    private One master() {
        int best = 0;
        for (int i = 1; i < live.length; i++) {
            boolean wins = priorities[i] != priorities[best]
                    ? priorities[i] > priorities[best]
                    : live[i].port.port().portGuid() < live[best].port.port().portGuid();
            best = wins ? i : best;
        }
        return live[best];
    }

    // What happens.

    private SmSettings settings(int which) {
        return managers.settings(RoleSettings.DEFAULT.withPriority(priorities[which]))
                .withKeys(conf.keys(fabric.portGuid(managers.port(hosts.get(which)))));
    }

    private SaSettings administration() {
        return SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS).withPartitions(conf);
    }

    private void start(int which) {
        priorities[which] = random.nextInt(3);
        managers.administration = administration();
        tell("start %s with priority %d".formatted(hosts.get(which), priorities[which]));
        live[which] = managers.start(hosts.get(which), settings(which));
        clients.forEach(ChaosClient::forgetTransactions);
        sameMaster = false;
    }

    private void happens() {
        ChaosClient client = clients.get(random.nextInt(clients.size()));
        switch (random.nextInt(15)) {
            case 0, 1, 2 -> join(client);
            case 3 -> leave(client);
            case 4, 5 -> serve(client);
            case 6 -> host(client);
            case 7 -> cable();
            case 8 -> reload();
            case 9 -> rename(client);
            case 10 -> path(client);
            case 11 -> power();
            case 12 -> hostile(client);
            case 13 -> {
                if (!isCalm) {
                    double loss = random.nextInt(4) * 0.1;
                    tell("loss " + loss);
                    managers.subnet.loss(loss);
                }
            }
            default -> {
                if (!isCalm) {
                    master(random.nextInt(MANAGERS), random.nextBoolean());
                }
            }
        }
    }

    private void join(ChaosClient client) {
        int key = random.nextBoolean() ? PKeyTable.DEFAULT_KEY : FIRST_KEY + random.nextInt(KEYS);
        Gid mgid = new Gid(0xFF12_0000_0000_0000L | key, random.nextInt(ADDRESSES));
        Group group = new Group(mgid, key);
        int state = STATES.get(random.nextInt(STATES.size()));
        tell("%s joins %s with state %d".formatted(client.name, mgid, state));
        client.join(group, state, isOk -> {
            tell("%s %s %s".formatted(client.name, isOk ? "has joined" : "may not join", mgid));
            if (isOk && !check().has(client.port, key)) {
                // It was taken out since.
                client.takenOut(group);
            }
        });
    }

    private void leave(ChaosClient client) {
        List<Group> groups = List.copyOf(client.joined.keySet());
        if (!groups.isEmpty()) {
            Group group = groups.get(random.nextInt(groups.size()));
            tell("%s leaves %s".formatted(client.name, group.mgid()));
            client.leave(group);
        }
    }

    private void serve(ChaosClient client) {
        List<Integer> known = List.copyOf(client.services.keySet());
        if (!known.isEmpty() && random.nextInt(3) == 0) {
            int id = known.get(random.nextInt(known.size()));
            tell("%s removes service %d".formatted(client.name, id));
            client.unserve(id);
            return;
        }
        int id = known.isEmpty() || random.nextBoolean() ? nextService++ : known.get(random.nextInt(known.size()));
        long lease = random.nextInt(4) == 0 ? FOR_EVER : 1 + random.nextInt(90);
        tell("%s registers service %d for %d s".formatted(client.name, id, lease));
        client.serve(id, lease);
    }

    private void host(ChaosClient client) {
        if (subscribers.contains(client) || fabric.nodeOf(fabric.cable(client.port)) == off) {
            return;
        }
        flapped.add(client.port);
        if (pulled.remove(client.port)) {
            tell("back: " + client.name);
            managers.subnet.relink(client.port);
        } else {
            tell("pulled: " + client.name);
            pulled.add(client.port);
            managers.subnet.unlink(client.port);
        }
    }

    /** No more than one cable or switch is missing at a time: more may be no torus any more. */
    private void cable() {
        if (off != Fabric.NONE) {
            return;
        }
        if (cut != Fabric.NONE) {
            tell("back: " + fabric.portName(cut));
            managers.subnet.relink(cut);
            cut = Fabric.NONE;
            return;
        }
        int sw = random.nextInt(fabric.switchCount());
        int port = fabric.portIndex(sw, 1 + random.nextInt(fabric.ports(sw)));
        int peer = fabric.cable(port);
        if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
            cut = port;
            tell("pulled: " + fabric.portName(port));
            managers.subnet.unlink(port);
        }
    }

    private void power() {
        if (off != Fabric.NONE) {
            tell("on: " + fabric.description(off));
            managers.subnet.powerOn(off);
            // Those that were pulled stay so.
            pulled.forEach(managers.subnet::unlink);
            off = Fabric.NONE;
            return;
        }
        int sw = random.nextInt(fabric.switchCount());
        boolean isNeeded = cut != Fabric.NONE;
        for (int which = 0; which < MANAGERS; which++) {
            isNeeded |= fabric.nodeOf(fabric.cable(managers.port(hosts.get(which)))) == sw;
        }
        for (ChaosClient client : clients) {
            boolean isThere = fabric.nodeOf(fabric.cable(client.port)) == sw;
            isNeeded |= isThere && subscribers.contains(client);
            if (isThere) {
                flapped.add(client.port);
            }
        }
        if (!isNeeded) {
            off = sw;
            tell("off: " + fabric.description(sw));
            managers.subnet.powerOff(sw);
        }
    }

    private void reload() {
        StringBuilder text = new StringBuilder("Default=0x7fff, ipoib : ALL=full ;\n");
        for (int key = 0; key < KEYS; key++) {
            text.append("p%d=0x%x, ipoib :".formatted(key, FIRST_KEY + key & PARTITION));
            String separator = " ";
            for (ChaosClient client : clients) {
                if (random.nextInt(3) > 0) {
                    text.append("%s0x%x=%s"
                            .formatted(separator, client.gid.guid(), random.nextBoolean() ? "full" : "limited"));
                    separator = ", ";
                }
            }
            text.append(" ;\n");
        }
        tell("other partitions");
        conf = PartitionsConf.parse(text.toString());
        managers.administration = administration();
        for (int which = 0; which < MANAGERS; which++) {
            One one = live[which];
            SmSettings settings = settings(which);
            managers.subnet.loop().execute(() -> one.master.configure(settings, administration(), "reload"));
        }
        if (Arrays.stream(live).noneMatch(one -> one.role() == SmRole.MASTER)) {
            // Nobody keeps that members were taken out.
            kills.add(now());
        }
        ClientsCheck check = check();
        for (ChaosClient client : clients) {
            for (Group group : List.copyOf(client.joined.keySet())) {
                if (!check.has(client.port, group.key())) {
                    client.takenOut(group);
                }
            }
        }
    }

    private void rename(ChaosClient client) {
        if (managers.subnet.isUp(client.port) && !flapped.contains(client.port)) {
            tell("renamed: " + client.name);
            renamed.add(client);
            managers.subnet.rename(fabric.nodeOf(client.port), "host " + now());
        }
    }

    /** What is asked for in the middle of it only has to be answered. */
    private void path(ChaosClient client) {
        ChaosClient other = clients.get(random.nextInt(clients.size()));
        client.ask(
                () -> {
                    Mad request = Mad.sa(
                            random.nextBoolean() ? MadMethod.GET : MadMethod.GET_TABLE,
                            SaPathRecord.TYPE,
                            SaPathRecord.SGID.mask() | SaPathRecord.DGID.mask());
                    request.data(SaPathRecord.TYPE)
                            .setGid(SaPathRecord.SGID, client.gid)
                            .setGid(SaPathRecord.DGID, other.gid);
                    return request;
                },
                answer -> {});
    }

    /** A host sends what no client does: nobody else may notice. */
    private void hostile(ChaosClient client) {
        tell(client.name + " sends nonsense");
        for (int i = 0; i < NONSENSE; i++) {
            AttributeType<?> about = ATTRIBUTES.get(random.nextInt(ATTRIBUTES.size()));
            Mad mad = Mad.sa(QUESTIONS.get(random.nextInt(QUESTIONS.size())), about, random.nextLong());
            for (int at = Mad.SA_DATA; at < Mad.SIZE && random.nextBoolean(); at++) {
                mad.bytes()[at] = (byte) random.nextInt();
            }
            mad.set(Mad.TRANSACTION_ID, random.nextInt(NONSENSE) + 1);
            if (random.nextBoolean()) {
                mad.set(Mad.RESPONSE, random.nextInt(2))
                        .rmpp()
                        .set(RmppHeader.VERSION, random.nextInt(8) == 0 ? 0 : 1)
                        .set(RmppHeader.TYPE, random.nextInt(6))
                        .set(RmppHeader.FLAGS, random.nextInt(8))
                        .set(RmppHeader.SEGMENT, random.nextInt(4))
                        .set(RmppHeader.LENGTH, random.nextBoolean() ? random.nextInt(4) : random.nextInt(1000));
            }
            client.sendAnything(mad);
        }
    }

    private void master(int which, boolean isClean) {
        One one = live[which];
        tell((isClean ? "ends: " : "killed: ") + one.host);
        if (isClean) {
            boolean[] ended = {false};
            managers.subnet.loop().execute(() -> one.master.leave(() -> ended[0] = true));
            if (!managers.subnet.loop().runUntil(() -> ended[0], PATIENCE)) {
                violations.add(one.host + " does not end");
            }
            one.isDead = true;
            one.port.close();
        } else {
            // It would keep at once what has changed; one that is killed does not.
            SaStore store = managers.store;
            String kept = store == null ? "" : store.load();
            one.kill();
            if (store != null) {
                store.save(kept);
            }
            kills.add(now());
        }
        managers.subnet.loop().runFor(random.nextLong(random.nextBoolean() ? SECOND / 10 : 60 * SECOND));
        start(which);
    }

    // When nothing changes any more.

    private void quiet() {
        tell("quiet");
        managers.subnet.loss(0);
        if (off != Fabric.NONE) {
            power();
        }
        managers.subnet.loop().runFor(30 * SECOND);
        if (!managers.settle(master())) {
            violations.add("the subnet does not become right: " + master().role() + " "
                    + master().reports.getLast()
                    + java.util.Arrays.stream(live)
                            .map(one -> one.role() + " " + one.master.manager().isIdle())
                            .toList());
        } else if (!managers.subnet.loop().runUntil(() -> up().stream().allMatch(ChaosClient::isIdle), PATIENCE)) {
            violations.add("not answered: "
                    + up().stream()
                            .filter(client -> !client.isIdle())
                            .map(client -> client.name)
                            .toList());
        }
        // What was asked for last has to be written.
        managers.subnet.loop().runFor(5 * SECOND);
        if (!managers.settle(master())) {
            violations.add("the subnet does not stay right");
        }
    }

    private List<ChaosClient> up() {
        return clients.stream().filter(client -> !isGone(client)).toList();
    }

    private boolean isGone(ChaosClient client) {
        return pulled.contains(client.port);
    }

    /** Whether what was changed at a time may be as it was before: a master was killed before it had kept it. */
    private boolean forgets(long changed) {
        Long killed = kills.ceiling(changed);
        return managers.store != null && killed != null && killed < changed + KEPT;
    }

    private void compare() {
        master().master.administration().checkInvariants();
        ClientsCheck check = check();
        List<ChaosClient> up = up();
        if (isLast) {
            planted.now(managers, master(), subscribers.getFirst());
        }
        check.members(up, this::forgets);
        check.trees(up);
        check.services(up, since -> managers.store != null && kills.ceiling(since) != null);
        List<SaPathRecord> paths = table();
        if (isLast) {
            planted.paths(paths, subscribers.getFirst(), subscribers.getLast());
        }
        check.paths(up, paths);
        for (ChaosClient subscriber : subscribers) {
            reports(subscriber);
        }
        checked++;
    }

    /** Asks for all paths at once, as long answers are sent. */
    private List<SaPathRecord> table() {
        List<SaPathRecord> all = new ArrayList<>();
        subscribers
                .getLast()
                .ask(
                        () -> {
                            Mad request = Mad.sa(MadMethod.GET_TABLE, SaPathRecord.TYPE, 0);
                            request.saHeader().set(SaHeader.SM_KEY, SA_KEY);
                            return request;
                        },
                        answer -> {
                            for (int i = 0; i < answer.records(); i++) {
                                all.add(answer.record(SaPathRecord.TYPE, i));
                            }
                        });
        managers.subnet.loop().runUntil(subscribers.getLast()::isIdle, PATIENCE);
        return all;
    }

    /** A subscriber has heard of each change once, in order, if all that was sent could be received. */
    private void reports(ChaosClient subscriber) {
        if (!sameMaster || notHeard != notHeard()) {
            return;
        }
        for (ChaosClient client : clients) {
            boolean before = !pulledBefore.contains(client.port);
            boolean now = !isGone(client);
            reports(
                    subscriber,
                    client.gid.toString(),
                    Notice.IN_SERVICE,
                    Notice.OUT_OF_SERVICE,
                    before,
                    now,
                    flapped.contains(client.port));
        }
        TreeSet<String> after = groups();
        TreeSet<String> all = new TreeSet<>(after);
        all.addAll(groupsBefore);
        subscriber.reports.forEach(report -> {
            if (report.trap() == Notice.GROUP_CREATED || report.trap() == Notice.GROUP_DELETED) {
                add(all, report.gid());
            }
        });
        for (String mgid : all) {
            reports(
                    subscriber,
                    mgid,
                    Notice.GROUP_CREATED,
                    Notice.GROUP_DELETED,
                    groupsBefore.contains(mgid),
                    after.contains(mgid),
                    true);
        }
        for (ChaosClient client : renamed) {
            // Of one that was not there nobody hears.
            String gid = client.gid.toString();
            if (!flapped.contains(client.port)
                    && subscriber.reports.stream()
                            .noneMatch(report -> report.trap() == Notice.LOCAL_CHANGES
                                    && report.gid().toString().equals(gid))) {
                violations.add("%s was not told that %s has another name".formatted(subscriber.name, gid));
            }
        }
    }

    private void reports(
            ChaosClient subscriber, String gid, int comes, int goes, boolean before, boolean after, boolean mayChange) {
        List<Integer> heard = subscriber.reports.stream()
                .filter(report ->
                        report.gid().toString().equals(gid) && (report.trap() == comes || report.trap() == goes))
                .map(Report::trap)
                .toList();
        boolean isThere = before;
        boolean isRight = mayChange || heard.isEmpty();
        if (subscriber.wants(comes) && subscriber.wants(goes)) {
            for (int trap : heard) {
                isRight &= trap == (isThere ? goes : comes);
                isThere = trap == comes;
            }
            isRight &= isThere == after;
        } else if (before != after && subscriber.wants(after ? comes : goes)) {
            isRight &= !heard.isEmpty();
        }
        if (!isRight) {
            violations.add("%s has heard %s of %s, which was %s and is %s"
                    .formatted(
                            subscriber.name,
                            heard,
                            gid,
                            before ? "there" : "not there",
                            after ? "there" : "not there"));
        }
    }
}
