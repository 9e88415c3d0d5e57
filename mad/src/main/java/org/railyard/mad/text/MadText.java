package org.railyard.mad.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.FieldText;
import org.railyard.mad.perf.PerformanceAttributes;
import org.railyard.mad.sa.ReportNotice;
import org.railyard.mad.sa.SaAttributes;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.SmpAttributes;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedRoute;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.MgmtClass;
import org.railyard.mad.wire.RmppHeader;
import org.railyard.mad.wire.SaHeader;

/**
 * Writes MADs for people. Whatever a MAD holds, the text is bounded, printable ASCII but for a few signs of
 * punctuation, and of a class or attribute that is not known it tells the number.
 */
public final class MadText {
    /** Most records of one answer that a page shows. */
    public static final int MAX_RECORDS = 256;

    private static final String INDENTATION = "  ";

    private MadText() {}

    /** Returns what the MAD is and its fields that are not 0, in one line. */
    public static String line(Mad mad) {
        StringBuilder text = new StringBuilder(summary(mad));
        for (BitStruct<?> part : parts(mad)) {
            String fields = FieldText.fields(part, shown(mad, part));
            text.append(fields.isEmpty() ? "" : " | " + fields);
        }
        return text.toString();
    }

    /** Returns what the MAD is in a line, then a line for each field, each ended by a line feed. */
    public static String page(Mad mad) {
        StringBuilder text = new StringBuilder(summary(mad)).append('\n');
        text.append(FieldText.lines(mad, INDENTATION, field -> field == Mad.TRANSACTION_ID));
        if (mad.mgmtClass() == MgmtClass.SMP_DIRECTED) {
            DirectedRoute route = mad.directedRoute();
            text.append(FieldText.lines(
                    route,
                    INDENTATION,
                    field -> field == DirectedRoute.M_KEY
                            || field == DirectedRoute.HOP_POINTER
                            || field == DirectedRoute.HOP_COUNT));
        } else if (mad.mgmtClass() == MgmtClass.SMP_LID) {
            text.append(FieldText.lines(mad.lidRoute(), INDENTATION, field -> true));
        } else if (mad.mgmtClass() == MgmtClass.SA) {
            if (mad.rmpp().isActive()) {
                text.append(FieldText.lines(mad.rmpp(), INDENTATION, field -> true));
            }
            text.append(FieldText.lines(mad.saHeader(), INDENTATION, field -> true));
        }
        List<BitStruct<?>> parts = parts(mad);
        for (BitStruct<?> part : parts) {
            text.append(INDENTATION).append(part.layout().name()).append('\n');
            text.append(FieldText.lines(part, INDENTATION + INDENTATION, shown(mad, part)));
        }
        if (parts.size() == MAX_RECORDS) {
            text.append(INDENTATION)
                    .append("only the first ")
                    .append(MAX_RECORDS)
                    .append(" records are shown\n");
        }
        return text.toString();
    }

    /** Returns class, method, attribute, modifier, route and status: what is said before any field. */
    public static String summary(Mad mad) {
        StringBuilder text = new StringBuilder(MgmtClass.text(mad.mgmtClass()));
        text.append(' ').append(method(mad)).append(' ').append(attribute(mad));
        if (MgmtClass.isSmp(mad.mgmtClass())) {
            String modifier = SmpAttributes.modifierText(mad.attributeId(), mad.modifier());
            text.append(modifier.isEmpty() ? "" : " " + modifier);
        } else if (mad.modifier() != 0) {
            text.append(" modifier 0x%08x".formatted(mad.modifier()));
        }
        if (mad.mgmtClass() == MgmtClass.SMP_DIRECTED) {
            text.append(" route ").append(mad.directedRoute().path());
        }
        if (mad.mgmtClass() == MgmtClass.SA && mad.rmpp().isActive()) {
            text.append(rmpp(mad.rmpp()));
        }
        text.append(" tid 0x%08x".formatted(mad.tid()));
        if (mad.status() != MadStatus.OK) {
            text.append(" status ").append(MadStatus.text(mad.status()));
        }
        return text.toString();
    }

    private static String method(Mad mad) {
        String name =
                mad.method().map(MadMethod::text).orElseGet(() -> "method 0x%02x".formatted(mad.getInt(Mad.METHOD)));
        return mad.isResponse() ? name + "Resp" : name;
    }

    private static String attribute(Mad mad) {
        return type(mad).map(AttributeType::name).orElseGet(() -> "attribute 0x%04x".formatted(mad.attributeId()));
    }

    private static String rmpp(RmppHeader rmpp) {
        return switch (rmpp.getInt(RmppHeader.TYPE)) {
            case 0 -> "";
            case RmppHeader.DATA -> " segment " + Integer.toUnsignedString(rmpp.getInt(RmppHeader.SEGMENT));
            case RmppHeader.ACK -> " ACK of segment " + Integer.toUnsignedString(rmpp.getInt(RmppHeader.SEGMENT));
            case RmppHeader.STOP -> " STOP " + rmpp.getInt(RmppHeader.STATUS);
            case RmppHeader.ABORT -> " ABORT " + rmpp.getInt(RmppHeader.STATUS);
            default -> " RMPP type " + rmpp.getInt(RmppHeader.TYPE);
        };
    }

    /** Returns the attribute that a MAD is about, if class and number are known. */
    public static Optional<AttributeType<?>> type(Mad mad) {
        if (MgmtClass.isSmp(mad.mgmtClass())) {
            return SmpAttributes.find(mad.attributeId());
        }
        return switch (mad.mgmtClass()) {
            case MgmtClass.SA -> SaAttributes.find(mad.attributeId());
            case MgmtClass.PERFORMANCE -> PerformanceAttributes.find(mad.attributeId());
            default -> Optional.empty();
        };
    }

    /** Returns the attribute, or the records of an answer of the SA, and behind a notice its details. */
    static List<BitStruct<?>> parts(Mad mad) {
        List<BitStruct<?>> parts = new ArrayList<>();
        AttributeType<?> type = type(mad).orElse(null);
        if (type == null || !hasData(mad)) {
            return parts;
        }
        if (mad.mgmtClass() == MgmtClass.SA && mad.isResponse() && isTable(mad)) {
            int last = Math.min(mad.records(), MAX_RECORDS);
            int step = mad.saHeader().getInt(SaHeader.ATTRIBUTE_OFFSET) * Long.BYTES;
            for (int i = 0; i < last; i++) {
                if (Mad.SA_DATA + i * step + type.layout().size() <= mad.bytes().length) {
                    parts.add(mad.record(type, i));
                }
            }
            return parts;
        }
        parts.add(mad.data(type));
        if (type == Notice.TYPE) {
            parts.add(mad.data(Notice.TYPE).details());
        } else if (type == ReportNotice.TYPE) {
            parts.add(mad.data(ReportNotice.TYPE).notice().details());
        }
        return parts;
    }

    private static boolean isTable(Mad mad) {
        return mad.is(MadMethod.GET_TABLE, true) || mad.is(MadMethod.GET_MULTI, true);
    }

    /** Requests for an attribute of an SMP have none, and an answer with an error has nothing to tell but that. */
    private static boolean hasData(Mad mad) {
        boolean smp = MgmtClass.isSmp(mad.mgmtClass());
        return mad.status() == MadStatus.OK && (!smp || !mad.is(MadMethod.GET, false));
    }

    /** Of a notice the details are shown as what they mean; of a query to the SA only what it asks for. */
    static Predicate<BitField> shown(Mad mad, BitStruct<?> part) {
        boolean notice = part.layout() == Notice.LAYOUT || part.layout() == ReportNotice.LAYOUT;
        long mask = mad.saHeader().get(SaHeader.COMPONENT_MASK);
        boolean query =
                mad.mgmtClass() == MgmtClass.SA && (mad.is(MadMethod.GET, false) || mad.is(MadMethod.GET_TABLE, false));
        return field -> !(notice && field.name().equals(Notice.DETAILS.name()))
                && (!query
                        || field.mask() == 0 && mask != 0
                        || (field.mask() & mask) != 0
                        || isArrayAsked(field, mask));
    }

    private static boolean isArrayAsked(BitField field, long mask) {
        long all = field.mask() == 0 ? 0 : ((1L << field.count()) - 1) * field.mask();
        return field.count() > 1 && (all & mask) != 0;
    }
}
