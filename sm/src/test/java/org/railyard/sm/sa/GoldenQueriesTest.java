package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.sa.SaAttributes;
import org.railyard.mad.text.MadLines;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;

/**
 * The queries of one client that were captured with OpenSM's answers, asked again in their order. Wherever we answer
 * differently, that is in the table, with what OpenSM did and what we do.
 */
final class GoldenQueriesTest {
    private static final int CLIENT_LID = 31;

    /** By title of the query: how our answer differs, field by field where both are records. */
    private static final Map<String, String> DIFFERENT = Map.ofEntries(
            // What is not supported is told, not passed over in silence.
            Map.entry("unknown attribute 0x77 TIMEOUT", "silent, not 0x000c"),
            Map.entry("Set PathRecord (bad", "silent, not 0x000c"),
            // Our own capabilities.
            Map.entry("cpi Get", "CapabilityMask2"),
            // An end that is not told is the requester's port, not any.
            Map.entry("pr Get empty mask", "DGID SGID DLID SLID Mtu"),
            Map.entry("pr only dgid Get", "SGID SLID Mtu"),
            // The largest MTU may be asked for without a value.
            Map.entry("pr mtu largest Get", "0x0200, not 0x0000"),
            // Nobody joins for a port that is not his.
            Map.entry("mc join for another port (foreign)", "0x0000, not 0x0700"),
            // New groups have the packet life time of the subnet and the scope of their address.
            Map.entry("mc create group", "PacketLifeTime Scope"),
            Map.entry("mc create mgid=0 (SA allocates)", "PacketLifeTime Scope"),
            Map.entry("mc delete own group", "Scope"),
            // In the order in which they were made, each with its number and queue pair.
            Map.entry(
                    "inform record GetTable",
                    "TrapNumber QPN Enum TrapNumber QPN Enum TrapNumber QPN Enum TrapNumber QPN Enum TrapNumber QPN"
                            + " Enum TrapNumber QPN"),
            // The capture ends before the last field.
            Map.entry("service Set", "ServiceData64"),
            Map.entry("service Get by id", "ServiceData64"),
            Map.entry("service Delete", "ServiceData64"),
            // Agents of our simulation, not those of ibsim.
            Map.entry("nr Get lid 1", "Revision"),
            Map.entry(
                    "pir Get lid 7 port 4",
                    "GidPrefix LocalPortNum LinkWidthEnabled LinkWidthSupported LinkSpeedSupported PortState"
                            + " NeighborMTU VLStallCount HOQLife RespTimeValue"),
            Map.entry(
                    "switchinfo rec Get lid 7",
                    "LinearFDBCap LinearFDBTop LifeTimeValue PortStateChange PartitionEnforcementCap"
                        + " InboundEnforcementCap OutboundEnforcementCap FilterRawInboundCap FilterRawOutboundCap"));

    private record Query(String title, Mad question, Optional<Mad> answer) {}

    private static List<Query> queries() throws WireFormatException {
        List<Query> all = new ArrayList<>();
        String title = "";
        Optional<Mad> question = Optional.empty();
        for (String line : Snapshots.golden("sa-own-client.txt").lines().toList()) {
            if (line.startsWith("== ")) {
                title = line.substring(3);
            } else if (line.startsWith("Q ")) {
                question = MadLines.read(line);
            } else if (line.startsWith("R ")) {
                all.add(new Query(title, question.orElseThrow(), MadLines.read(line)));
            }
        }
        return all;
    }

    private static <T extends BitStruct<T>> String differences(AttributeType<T> type, Mad theirs, Mad ours) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < Math.max(1, theirs.records()); i++) {
            T their = theirs.record(type, i);
            T our = ours.record(type, i);
            their.differences(our).stream().map(BitField::name).forEach(found::add);
        }
        return String.join(" ", found);
    }

    private static String compare(Query query, Optional<Mad> ours) {
        if (query.answer.isEmpty()) {
            return ours.map(mad -> "silent, not 0x%04x".formatted(mad.status())).orElse("");
        }
        Mad theirs = query.answer.get();
        if (ours.isEmpty()) {
            return "0x%04x, not silent".formatted(theirs.status());
        }
        Mad mad = ours.get();
        if (theirs.status() != mad.status()) {
            return "0x%04x, not 0x%04x".formatted(theirs.status(), mad.status());
        }
        if (theirs.status() != 0) {
            return "";
        }
        if (theirs.getInt(Mad.METHOD) != mad.getInt(Mad.METHOD) || theirs.records() != mad.records()) {
            return theirs.records() + " records, not " + mad.records();
        }
        return differences(SaAttributes.find(theirs.attributeId()).orElseThrow(), theirs, mad);
    }

    @Test
    void answersAreThoseOfOpenSm() throws WireFormatException {
        SaClient client = new SaClient(
                SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS), Snapshots.golden(), CLIENT_LID);
        Map<String, String> different = new TreeMap<>();
        List<Query> queries = queries();
        for (Query query : queries) {
            Optional<Mad> answer = client.sa.answer(query.question, MadAddress.gmp(CLIENT_LID, 0));
            String difference = compare(query, answer);
            if (!difference.isEmpty()) {
                different.put(query.title, difference);
            }
        }
        assertThat(queries).hasSize(78);
        assertThat(different).isEqualTo(DIFFERENT);
    }
}
