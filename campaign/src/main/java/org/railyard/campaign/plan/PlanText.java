package org.railyard.campaign.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.JsonText;
import org.railyard.base.yaml.Document;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;

/** Plans as JSON: one line that a file keeps, and that goes to other machines. */
public final class PlanText {
    /** Longest text, characters: what can be read again. */
    public static final int MAX_CHARACTERS = 16 << 20;

    private static final int FORMAT = 1;
    private static final String[] KEYS = {"format", "kind", "version", "cases", "chunk", "parameters", "inputs"};

    private PlanText() {}

    /**
     * Returns the text of a plan.
     *
     * @throws ErrnoException EINVAL if it would be too long
     */
    public static String of(CampaignPlan plan) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("format", FORMAT);
        document.put("kind", plan.kind().text());
        document.put("version", plan.version());
        document.put("cases", plan.cases());
        document.put("chunk", plan.chunkCases());
        document.put("parameters", plan.parameters());
        document.put("inputs", plan.inputs());
        String text = JsonText.of(document);
        if (text.length() > MAX_CHARACTERS) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "a plan of %d characters, expected at most %d: the inputs are too long"
                            .formatted(text.length(), MAX_CHARACTERS));
        }
        return text + "\n";
    }

    /**
     * Reads a plan.
     *
     * @param where what errors call it
     * @throws ErrnoException EINVAL if it is none
     */
    public static CampaignPlan parse(String where, String text) {
        Findings findings = new Findings(where);
        try {
            Item top = Document.read(text, findings);
            findings.throwIfAny();
            if (top == null) {
                throw new ErrnoException(Errno.EINVAL, where + ": empty, expected the plan of a campaign");
            }
            Fields fields = Fields.of(top, KEYS);
            for (String key : KEYS) {
                fields.require(key);
            }
            findings.throwIfAny();
            item(fields, "format").number(FORMAT, FORMAT);
            Item kind = item(fields, "kind");
            CampaignKind known = CampaignKind.of(kind.text()).orElse(CampaignKind.LAB);
            if (!known.text().equals(kind.text())) {
                kind.expected("a kind of campaign");
            }
            long cases = item(fields, "cases").number(1, CampaignPlan.MAX_CASES).orElse(1);
            long chunk = item(fields, "chunk")
                    .number(1, CampaignPlan.MAX_CHUNK_CASES)
                    .orElse(1);
            String version = item(fields, "version").wholeText();
            SortedMap<String, String> parameters = map(item(fields, "parameters"));
            SortedMap<String, String> inputs = map(item(fields, "inputs"));
            findings.throwIfAny();
            return new CampaignPlan(known, version, parameters, inputs, cases, (int) chunk);
        } catch (DocumentException e) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    where + ": no plan of a campaign: " + e.problems().getFirst(),
                    e);
        }
    }

    private static Item item(Fields fields, String key) {
        return Objects.requireNonNull(fields.get(key));
    }

    private static SortedMap<String, String> map(Item item) {
        SortedMap<String, String> map = new TreeMap<>();
        item.entries().forEach((name, entry) -> map.put(name, entry.value().wholeText()));
        return map;
    }
}
