package org.railyard.mad.tshark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.perf.PortCounters;
import org.railyard.mad.perf.PortCountersExtended;
import org.railyard.mad.sa.NodeRecord;
import org.railyard.mad.sa.ReportNotice;
import org.railyard.mad.sa.SaAttributes;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.SmpAttributes;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.tshark.Tshark.Shown;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.RmppHeader;
import org.railyard.testkit.NeedsCommand;

/**
 * Each field of each attribute, of each notice and of the headers is where tshark sees a field of this name, as wide as
 * there, bit by bit. Where both ends are ours a wrong place goes unnoticed.
 *
 * <p>What tshark (4.0) does not show, shows as one with its neighbour or names otherwise has its place below. Sources
 * of these places: rdma-core's {@code umad_types.h} and {@code umad_sm.h} and what libibmad writes (PortInfo,
 * SwitchInfo, counters, ServiceRecord, P_Keys, RMPP, paths of SMPs), captured queries and answers of OpenSM (IssuerGID,
 * ServiceID, QoSClass, keys of services), the architecture (ClassPortInfo, traps 144, 256 and 259).
 */
@NeedsCommand("tshark")
final class FieldsTest {
    /** Structure and field, byte and bit where it begins, bits; of arrays the first and the last element. */
    private static final Set<String> ELSEWHERE = Set.of("""
        ChangeDetails.ChangeFlags 20.0+16
        ClassPortInfo.TrapHL 64.0+8
        DirectedRoute.D 4.0+1
        DirectedRoute.InitialPath 128.0+8 to 191.0+8
        DirectedRoute.ReturnPath 192.0+8 to 255.0+8
        DirectedRoute.Status 4.1+15
        MAD.Method 3.1+7
        MAD.R 3.0+1
        M_KeyDetails.DRNoticeReturnPath 34.0+8 to 63.0+8
        MultiPathRecord.QoSClass 8.0+12
        MultiPathRecord.ServiceID56 17.0+56
        MultiPathRecord.ServiceID8 13.0+8
        MulticastForwardingTable.PortMask 0.0+16 to 62.0+16
        MulticastForwardingTableRecord.PortMask 8.0+16 to 70.0+16
        NodeDescription.NodeDescription 0.0+512
        NodeRecord.NodeDescription 44.0+512
        Notice.DataDetails 10.0+8 to 63.0+8
        Notice.IssuerGID 64.0+128
        P_KeyTable.P_Key 0.0+16 to 62.0+16
        P_KeyTableRecord.P_Key 8.0+16 to 70.0+16
        PathRecord.QoSClass 52.0+12
        PathRecord.ServiceID 0.0+64
        PortCounters.CounterSelect2 18.0+8
        PortCounters.ExcessiveBufferOverrunErrors 19.4+4
        PortCounters.LocalLinkIntegrityErrors 19.0+4
        PortCounters.PortXmitWait 40.0+32
        PortDetails.PortNum 14.0+8
        PortInfo.CapabilityMask2 60.0+16
        PortInfo.GidPrefix 8.0+64
        PortInfo.LinkSpeedExtActive 62.0+4
        PortInfo.LinkSpeedExtEnabled 63.3+5
        PortInfo.LinkSpeedExtSupported 62.4+4
        PortInfo.MulticastPKeyTrapSuppression 51.1+2
        PortInfoRecord.CapabilityMask2 64.0+16
        PortInfoRecord.GidPrefix 12.0+64
        PortInfoRecord.LinkSpeedExtActive 66.0+4
        PortInfoRecord.LinkSpeedExtEnabled 67.3+5
        PortInfoRecord.LinkSpeedExtSupported 66.4+4
        PortInfoRecord.MulticastPKeyTrapSuppression 55.1+2
        PortInfoRecord.Options 3.0+8
        RMPP.RMPPFlags 2.5+3
        RMPP.RRespTime 2.0+5
        SLtoVLMappingTable.VL 0.0+4 to 7.4+4
        SLtoVLMappingTableRecord.VL 8.0+4 to 15.4+4
        ServiceRecord.ServiceData16 128.0+16 to 142.0+16
        ServiceRecord.ServiceData32 144.0+32 to 156.0+32
        ServiceRecord.ServiceData64 160.0+64 to 168.0+64
        ServiceRecord.ServiceData8 112.0+8 to 127.0+8
        ServiceRecord.ServiceKeyHigh 32.0+64
        ServiceRecord.ServiceKeyLow 40.0+64
        SwitchInfo.EnhancedPort0 16.4+1
        SwitchInfo.MulticastFDBTop 18.0+16
        SwitchInfo.OptimizedSLtoVLProgramming 11.6+2
        SwitchInfoRecord.EnhancedPort0 20.4+1
        SwitchInfoRecord.MulticastFDBTop 22.0+16
        SwitchInfoRecord.OptimizedSLtoVLProgramming 15.6+2
        SwitchKeyDetails.DataValid 10.0+16
        SwitchKeyDetails.GIDADDR1 26.0+128
        SwitchKeyDetails.GIDADDR2 42.0+128
        SwitchKeyDetails.LIDADDR1 12.0+16
        SwitchKeyDetails.LIDADDR2 14.0+16
        SwitchKeyDetails.P_Key 16.0+16
        SwitchKeyDetails.PortNum 60.0+8
        SwitchKeyDetails.QP1 19.0+24
        SwitchKeyDetails.QP2 23.0+24
        SwitchKeyDetails.SL 18.0+4
        SwitchKeyDetails.SWLIDADDR 58.0+16
        """.split("\n"));

    /** What tshark is shown, and where in it a structure begins. */
    private record Sample(Mad mad, BitStruct<?> empty, int at) {}

    private final List<Sample> samples = new ArrayList<>();

    @TempDir
    private Path folder = Path.of("");

    private void addAttributes() {
        for (AttributeType<?> type : SmpAttributes.ALL) {
            Mad answer =
                    Mad.directed(MadMethod.GET, type, 0, DirectedPath.of(1)).becomeAnswer(0);
            samples.add(new Sample(answer, type.create(), Mad.SMP_DATA));
        }
        for (AttributeType<?> type : SaAttributes.ALL) {
            Mad answer = Mad.sa(MadMethod.GET, type, 0).answer(0, Mad.SA_DATA_SIZE);
            samples.add(new Sample(answer, type.create(), Mad.SA_DATA));
        }
        for (AttributeType<?> type : List.of(PortCounters.TYPE, PortCountersExtended.TYPE)) {
            samples.add(new Sample(Mad.performance(type).becomeAnswer(0), type.create(), Mad.SMP_DATA));
        }
    }

    private void addNotices() {
        for (int trap : new int[] {64, 65, 66, 67, 128, 129, 130, 131, 144, 145, 256, 257, 258, 259}) {
            BitStruct<?> details = TrapDetails.of(trap, new byte[Notice.LAYOUT.size()], 0);
            Mad sent = Mad.lidRouted(MadMethod.TRAP, Notice.TYPE, 0);
            sent.data(Notice.TYPE).set(Notice.IS_GENERIC, 1).set(Notice.TRAP_NUMBER, trap);
            samples.add(new Sample(sent, details, Mad.SMP_DATA));
            Mad report = Mad.sa(MadMethod.REPORT, ReportNotice.TYPE, 0);
            report.data(ReportNotice.TYPE).notice().set(Notice.IS_GENERIC, 1).set(Notice.TRAP_NUMBER, trap);
            samples.add(new Sample(report, details, Mad.SA_DATA));
        }
    }

    private void addHeaders() throws WireFormatException {
        Mad empty = Mad.over(new byte[Mad.SIZE]);
        Mad directed = Mad.directed(MadMethod.GET, Notice.TYPE, 0, DirectedPath.of(1));
        samples.add(new Sample(directed, empty, 0));
        samples.add(new Sample(directed, empty.directedRoute(), 0));
        samples.add(new Sample(Mad.lidRouted(MadMethod.GET, Notice.TYPE, 0), empty.lidRoute(), 0));
        Mad segment = Mad.sa(MadMethod.GET_TABLE, NodeRecord.TYPE, 0).answer(0, Mad.SA_DATA_SIZE);
        segment.rmpp()
                .set(RmppHeader.TYPE, RmppHeader.DATA)
                .set(RmppHeader.FLAGS, RmppHeader.FLAG_ACTIVE | RmppHeader.FLAG_FIRST | RmppHeader.FLAG_LAST)
                .set(RmppHeader.SEGMENT, 1);
        samples.add(new Sample(segment, empty.rmpp(), Mad.HEADER));
        samples.add(new Sample(segment, empty.saHeader(), Mad.HEADER + RmppHeader.LAYOUT.size()));
    }

    @Test
    void areWhereTsharkSeesThem() throws Exception {
        addAttributes();
        addNotices();
        addHeaders();
        List<List<Shown>> shown =
                Tshark.read(folder, samples.stream().map(Sample::mad).toList());
        assertThat(shown).hasSameSizeAs(samples);
        Set<String> places = new TreeSet<>();
        Set<String> notShown = new TreeSet<>();
        int agreed = 0;
        for (int i = 0; i < samples.size(); i++) {
            agreed += compare(samples.get(i), shown.get(i), places, notShown);
        }
        assertThat(notShown).as("not shown by tshark, nor listed here").isSubsetOf(ELSEWHERE);
        assertThat(ELSEWHERE).as("the places listed here").isSubsetOf(places);
        assertThat(agreed).as("fields that tshark sees as we do").isGreaterThanOrEqualTo(427);
    }

    private static <S extends BitStruct<S>> int compare(
            Sample sample, List<Shown> shown, Set<String> places, Set<String> notShown) {
        @SuppressWarnings("unchecked")
        S struct = (S) sample.empty;
        int agreed = 0;
        for (BitField field : struct.layout().fields()) {
            String name = field.name().toLowerCase(Locale.ROOT).replace("_", "");
            List<Place> elements = new ArrayList<>();
            boolean seen = true;
            for (int i = 0; i < field.count(); i++) {
                fill(struct, field, i, true);
                Place place = Place.of(struct.toBytes());
                fill(struct, field, i, false);
                elements.add(place);
                seen &= shown.stream().anyMatch(other -> place.is(other, name, sample.at));
            }
            String text = struct.layout().name() + "." + field.name() + " " + elements.getFirst();
            text += elements.size() == 1 ? "" : " to " + elements.getLast();
            places.add(text);
            if (seen) {
                agreed++;
            } else {
                notShown.add(text);
            }
        }
        return agreed;
    }

    /** The bits that are set in a structure. */
    private record Place(int bit, int bits) {
        static Place of(byte[] bytes) {
            int first = -1;
            int count = 0;
            for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
                if ((bytes[bit / Byte.SIZE] & 0x80 >> bit % Byte.SIZE) != 0) {
                    first = first < 0 ? bit : first;
                    count++;
                }
            }
            return new Place(first, count);
        }

        /** Tells whether tshark shows these bits of the structure at a byte by this name, or one that begins so. */
        boolean is(Shown other, String name, int at) {
            String last = other.name().substring(other.name().lastIndexOf('.') + 1);
            return other.bit() == at * Byte.SIZE + bit
                    && other.bits() == bits
                    && last.replace("_", "").startsWith(name);
        }

        @Override
        public String toString() {
            return bit / Byte.SIZE + "." + bit % Byte.SIZE + "+" + bits;
        }
    }

    /** Sets all bits of a field or an element, or none. */
    private static <S extends BitStruct<S>> void fill(S struct, BitField field, int index, boolean on) {
        if (field.bits() <= Long.SIZE) {
            struct.set(field, index, on ? field.max() : 0);
        } else if (field.bits() == Gid.BITS) {
            struct.setGid(field, on ? new Gid(-1, -1) : Gid.ZERO);
        } else {
            struct.setText(field, on ? "\u00FF".repeat(field.bits() / Byte.SIZE) : "");
        }
    }
}
