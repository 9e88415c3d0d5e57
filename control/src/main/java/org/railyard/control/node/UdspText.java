package org.railyard.control.node;

import java.util.List;
import org.railyard.base.text.Doc;
import org.railyard.lnet.api.UdspInfo;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.nid.Nid;

/** Selection rules, and what they say of a NID, as documents (spec 12 §4.7, §4.1). */
final class UdspText {
    private UdspText() {}

    static Doc rule(int index, UdspRule rule) {
        Doc doc = new Doc().put("idx", index);
        if (rule.src() != null) {
            doc.put("src", rule.src().toString());
        }
        if (rule.dst() != null) {
            doc.put("dst", rule.dst().toString());
        }
        if (rule.rte() != null) {
            doc.put("rte", rule.rte().toString());
        }
        Doc action = new Doc();
        if (rule.priority() != UdspRule.NO_PRIORITY) {
            action.put("priority", rule.priority());
        }
        if (rule.count() > 0) {
            action.put("count", rule.count());
        }
        return action.map().isEmpty() ? doc : doc.put("action", action);
    }

    static Doc info(UdspInfo info) {
        Doc doc = new Doc().put("net priority", info.netPriority()).put("nid priority", info.nidPriority());
        if (!info.preferredSources().isEmpty()) {
            doc.put("Preferred source NIDs", numbered("NID-", info.preferredSources()));
        }
        if (!info.preferredRouters().isEmpty()) {
            doc.put("Preferred gateway NIDs", new Doc().put("NID-0", info.preferredRouters()));
        }
        return doc;
    }

    static Doc numbered(String prefix, List<Nid> nids) {
        Doc doc = new Doc();
        for (int i = 0; i < nids.size(); i++) {
            doc.put(prefix + i, nids.get(i).toString());
        }
        return doc;
    }
}
