package org.railyard.mad.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.smp.NodeDescription;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.text.MadText;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.MgmtClass;
import org.railyard.mad.wire.SaHeader;

/** Every MAD of the captures is read field by field, and written again byte for byte. */
final class GoldenMadsTest {
    /** From here on the simulator's library hands over what was in its memory (spec 42 §5). */
    private static final int GARBAGE = 224;

    private static final List<Mad> ALL = GoldenMads.all();

    @Test
    void eachIsWrittenAgainByteForByte() throws WireFormatException {
        List<String> wrong = new ArrayList<>();
        int echoes = 0;
        int cut = 0;
        for (Mad mad : ALL) {
            byte[] again = rewritten(mad);
            int difference = Arrays.mismatch(again, mad.bytes());
            if (difference >= GARBAGE && isEchoOfGarbage(mad)) {
                echoes++;
            } else if (difference >= endOfRecords(mad) && mad.is(MadMethod.GET_TABLE, true)) {
                cut++;
            } else if (difference >= 0) {
                wrong.add("byte " + difference + " of " + MadText.summary(mad));
            }
        }
        assertThat(wrong).isEmpty();
        // What may differ is counted, so that nothing else hides there.
        assertThat(echoes).isEqualTo(80);
        assertThat(cut).as("answers that were cut within a record").isEqualTo(4);
        assertThat(ALL).hasSize(6720);
    }

    /** An answer with an error, and TrapRepress, begin as a copy of what came in. */
    private static boolean isEchoOfGarbage(Mad mad) {
        return mad.status() != MadStatus.OK || mad.is(MadMethod.TRAP_REPRESS, false);
    }

    private static int endOfRecords(Mad mad) {
        return Mad.SA_DATA + mad.records() * mad.saHeader().getInt(SaHeader.ATTRIBUTE_OFFSET) * Long.BYTES;
    }

    /** Returns the same MAD, made of nothing but declared fields. */
    private static byte[] rewritten(Mad mad) throws WireFormatException {
        Mad copy = Mad.over(new byte[mad.bytes().length]).setAll(mad);
        switch (mad.mgmtClass()) {
            case MgmtClass.SMP_DIRECTED -> copy.directedRoute().setAll(mad.directedRoute());
            case MgmtClass.SMP_LID -> copy.lidRoute().setAll(mad.lidRoute());
            default -> {
                copy.rmpp().setAll(mad.rmpp());
                copy.saHeader().setAll(mad.saHeader());
            }
        }
        Optional<AttributeType<?>> type = MadText.type(mad);
        if (type.isPresent()) {
            int records = mad.is(MadMethod.GET_TABLE, true) ? mad.records() : 1;
            int step = mad.saHeader().getInt(SaHeader.ATTRIBUTE_OFFSET) * Long.BYTES;
            for (int i = 0; i < records; i++) {
                copyRecord(mad, copy, type.get(), mad.dataOffset() + i * step);
            }
        }
        return copy.bytes();
    }

    private static <T extends BitStruct<T>> void copyRecord(Mad from, Mad to, AttributeType<T> type, int offset) {
        type.over().over(to.bytes(), offset).setAll(type.over().over(from.bytes(), offset));
    }

    @Test
    void theCapturesHaveEveryMethodAndNearlyEveryAttribute() {
        Set<MadMethod> methods = EnumSet.noneOf(MadMethod.class);
        Set<String> attributes = new TreeSet<>();
        for (Mad mad : ALL) {
            methods.add(mad.method().orElseThrow());
            MadText.type(mad).ifPresent(type -> attributes.add(type.name()));
        }
        assertThat(methods)
                .doesNotContain(MadMethod.GET_MULTI, MadMethod.GET_TRACE_TABLE)
                .hasSize(7);
        assertThat(attributes).hasSize(28);
    }

    @Test
    void whatTheFieldsSay() {
        assertThat(ALL.stream()
                        .filter(mad -> mad.is(MadMethod.GET, true)
                                && mad.mgmtClass() == MgmtClass.SMP_DIRECTED
                                && mad.isAbout(NodeDescription.TYPE))
                        .map(mad -> mad.data(NodeDescription.TYPE).text()))
                .contains("S-0.0.0", "H-1.2.2.0");
        Notice trap = ALL.stream()
                .filter(mad -> mad.is(MadMethod.TRAP, false))
                .findFirst()
                .orElseThrow()
                .data(Notice.TYPE);
        assertThat(trap.getInt(Notice.TRAP_NUMBER)).isIn(Notice.LINK_STATE, Notice.LOCAL_CHANGES);
        Mad linkState = ALL.stream()
                .filter(mad -> mad.is(MadMethod.TRAP, false)
                        && mad.data(Notice.TYPE).getInt(Notice.TRAP_NUMBER) == Notice.LINK_STATE)
                .findFirst()
                .orElseThrow();
        assertThat(linkState.data(Notice.TYPE).details().getInt(TrapDetails.SWITCH_LID))
                .isEqualTo(linkState.data(Notice.TYPE).getInt(Notice.ISSUER_LID));
        Mad path = ALL.stream()
                .filter(mad -> mad.is(MadMethod.GET, true) && mad.isAbout(SaPathRecord.TYPE) && mad.status() == 0)
                .findFirst()
                .orElseThrow();
        assertThat(path.records()).isEqualTo(1);
        SaPathRecord record = path.record(SaPathRecord.TYPE, 0);
        assertThat(record.getGid(SaPathRecord.DGID)).hasToString("fe80:0:0:0:0:0:10:1");
        assertThat(record.getInt(SaPathRecord.P_KEY)).isEqualTo(0xFFFF);
        assertThat(MadText.line(path))
                .contains("SA GetResp PathRecord", "DGID=fe80:0:0:0:0:0:10:1", "PacketLifeTime=18");
    }
}
