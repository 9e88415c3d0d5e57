package org.railyard.mad.sa;

import java.util.List;
import java.util.Optional;
import org.railyard.mad.wire.AttributeType;

/** All attributes of subnet administration. */
public final class SaAttributes {
    /** In the order of their numbers. */
    public static final List<AttributeType<?>> ALL = List.of(
            ClassPortInfo.TYPE,
            ReportNotice.TYPE,
            InformInfo.TYPE,
            NodeRecord.TYPE,
            PortInfoRecord.TYPE,
            SlToVlRecord.TYPE,
            SwitchInfoRecord.TYPE,
            LinearForwardingRecord.TYPE,
            MulticastForwardingRecord.TYPE,
            SmInfoRecord.TYPE,
            LinkRecord.TYPE,
            GuidInfoRecord.TYPE,
            ServiceRecord.TYPE,
            PKeyRecord.TYPE,
            SaPathRecord.TYPE,
            VlArbitrationRecord.TYPE,
            McMemberRecord.TYPE,
            MultiPathRecord.TYPE,
            InformInfoRecord.TYPE);

    private SaAttributes() {}

    /** Returns the attribute of a number, if it is a known one. */
    public static Optional<AttributeType<?>> find(int id) {
        return AttributeType.find(ALL, id);
    }
}
