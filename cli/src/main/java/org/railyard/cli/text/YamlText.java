package org.railyard.cli.text;

import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Documents as YAML text. */
public final class YamlText {
    private YamlText() {}

    /** Returns the document in block style. */
    public static String of(Map<String, Object> document) {
        return new Dump(DumpSettings.builder()
                        .setDefaultFlowStyle(FlowStyle.BLOCK)
                        .build())
                .dumpToString(document);
    }
}
