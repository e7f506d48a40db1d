package dev.verbena.subnet.admin;

import dev.verbena.wire.mad.LinkRecord;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;

/// Records of nodes, ports, switches and links, made of what nodes have answered.
final class Tables {
    private static final int ATTRIBUTE_AT = 4;

    private final SubnetView view;

    Tables(SubnetView view) {
        this.view = view;
    }

    void nodes(Question question) {
        for (int vertex = 0; vertex < view.vertices(); vertex++) {
            if (view.isPresent(vertex)) {
                MemorySegment record = lid(question, vertex);
                copy(view.nodeInfo(vertex), record, ATTRIBUTE_AT, NodeInfo.LENGTH);
                copy(view.description(vertex), record, SaRecord.NODE_DESCRIPTION, Smp.DATA_LENGTH);
                question.add(record);
            }
        }
    }

    void ports(Question question) {
        for (int vertex = 0; vertex < view.vertices(); vertex++) {
            if (!view.isPresent(vertex)) {
                continue;
            }
            for (int slot = view.firstSlot(vertex); slot < view.endSlot(vertex); slot++) {
                MemorySegment record = lid(question, vertex);
                LinkRecord.FROM_PORT.write(record, 0, view.port(slot));
                copy(view.portInfo(slot), record, ATTRIBUTE_AT, PortInfo.LENGTH);
                // The key is a secret of the manager.
                PortInfo.M_KEY.write(record, ATTRIBUTE_AT, 0);
                question.add(record);
            }
        }
    }

    void switches(Question question) {
        for (int vertex = 0; vertex < view.vertices(); vertex++) {
            if (view.isPresent(vertex) && view.isSwitch(vertex)) {
                MemorySegment record = lid(question, vertex);
                copy(view.switchInfo(vertex), record, ATTRIBUTE_AT, SwitchInfo.LENGTH);
                question.add(record);
            }
        }
    }

    void links(Question question) {
        for (int vertex = 0; vertex < view.vertices(); vertex++) {
            if (!view.isPresent(vertex)) {
                continue;
            }
            for (int slot = view.firstSlot(vertex); slot < view.endSlot(vertex); slot++) {
                int peer = view.peer(slot);
                if (peer != SubnetView.NONE) {
                    MemorySegment record = question.blank();
                    LinkRecord.FROM_LID.write(record, 0, view.lid(vertex));
                    LinkRecord.FROM_PORT.write(record, 0, view.port(slot));
                    LinkRecord.TO_PORT.write(record, 0, view.port(peer));
                    LinkRecord.TO_LID.write(record, 0, view.lid(view.owner(peer)));
                    question.add(record);
                }
            }
        }
    }

    /// A record that begins with the LID of its node.
    private MemorySegment lid(Question question, int vertex) {
        MemorySegment record = question.blank();
        LinkRecord.FROM_LID.write(record, 0, view.lid(vertex));
        return record;
    }

    private static void copy(MemorySegment from, MemorySegment to, long at, long length) {
        MemorySegment.copy(from, 0, to, at, length);
    }
}
