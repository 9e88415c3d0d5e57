package org.railyard.o2iblnd.bond;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.QueueSizing;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.verbs.DeviceAttributes;

/** What the known targets need of each device of a group (spec 21 cb-130). */
final class Demand {
    private static final String ID = "cb-130";

    private Demand() {}

    static List<BondFinding> check(InterfaceGroupView ni, List<Target> targets) {
        List<BondFinding> findings = new ArrayList<>();
        Map<Integer, Long> routes = new LinkedHashMap<>();
        for (Target target : targets) {
            for (RoutePlan.Pair pair : RoutePlan.of(ni.members().size(), target.nid(), target)) {
                routes.merge(pair.member(), 1L, Long::sum);
            }
        }
        for (int i = 0; i < ni.members().size(); i++) {
            MemberView member = ni.members().get(i);
            long connections = routes.getOrDefault(i, 0L) * ni.tunables().connsPerPeer();
            DeviceAttributes device = member.attributes();
            String subject = member.toString();
            limit(findings, subject, connections, "queue pairs", device.maxQp(), "max_qp");
            limit(findings, subject, connections, "completion queues", device.maxCq(), "max_cq");
            long pool = Registration.named(member.registration()).hasPools()
                    ? ni.tunables().regionsPerCpt(1)
                    : 1;
            limit(findings, subject, connections + pool, "memory regions", device.maxMr(), "max_mr");
            queues(findings, ni, member);
        }
        return findings;
    }

    private static void limit(
            List<BondFinding> findings, String subject, long needed, String what, int most, String name) {
        if (needed > most) {
            findings.add(BondFinding.error(
                    ID,
                    subject,
                    "the known targets need " + needed + " " + what + ", the device has " + name + " " + most
                            + ": later peers get none"));
        }
    }

    private static void queues(List<BondFinding> findings, InterfaceGroupView ni, MemberView member) {
        QueueSizing sizing = QueueSizing.of(
                ni.tunables(),
                ni.tunables().peerCredits(),
                ni.tunables().offeredFragments(),
                Registration.named(member.registration()).workRequests(),
                member.attributes());
        if (sizing.verdict() == QueueSizing.Verdict.FAILS) {
            findings.add(BondFinding.error(ID, member.toString(), "no queues fit on the device for " + what(ni)));
        } else if (sizing.queueDepth() < sizing.askedQueueDepth()) {
            findings.add(BondFinding.warning(
                    ID,
                    member.toString(),
                    "the device only gives a queue depth of " + sizing.queueDepth() + " for " + what(ni)));
        }
    }

    private static String what(InterfaceGroupView ni) {
        return O2ibTunable.PEER_CREDITS.text() + " " + ni.tunables().peerCredits();
    }
}
