"""What the lessons teach: tensors, operations, the graph, the engine, views and writes."""
