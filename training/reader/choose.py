"""Which mean of two readers reads held-out talk best: python choose.py packed-held.npz NEW.pt OLD.onnx OUT.pt"""
import sys, numpy as np, torch, collections
from train import Batches, read
from model import load_reader, stored_weights, reader_of
file,new,old,out=sys.argv[1:]
dev=torch.device('cuda'); data=read(file,None,None,None,None,True)
b=Batches(data,dev,60000); q=data['question']; lab=data['labels'][:,0]
A=stored_weights(new); B=stored_weights(old)
def auroc(p,n):
    s=np.concatenate([p,n]); r=s.argsort().argsort()+1; return (r[:len(p)].sum()-len(p)*(len(p)+1)/2)/(len(p)*len(n))
best=None
for share in (1.0,.75,.5,.0):
    W={n:(share*t.float()+(1-share)*B[n].float() if n in B else t.float()) for n,t in A.items()}
    m=reader_of(W).to(dev).eval(); ans=np.zeros(len(lab))
    with torch.no_grad():
        for part in b.whole():
            i,ids,types,_=b.load(part)
            with torch.autocast('cuda',torch.bfloat16): s,e,a,r=m(ids,types)
            ans[part]=a.float().cpu().numpy()
    by=collections.defaultdict(list)
    for k in range(len(lab)): by[q[k]].append((ans[k],lab[k]))
    top=[max(v) for v in by.values()]; has=[any(l==1 for _,l in v) for v in by.values()]
    pick=np.mean([t[1]==1 for t,h in zip(top,has) if h]); au=auroc(np.array([t[0] for t,h in zip(top,has) if h]),np.array([t[0] for t,h in zip(top,has) if not h]))
    right=auroc(np.array([t[0] for t,h in zip(top,has) if h and t[1]==1]),np.array([t[0] for t,h in zip(top,has) if not(h and t[1]==1)]))
    print('share',share,'pick',round(float(pick),4),'AUROC answerable',round(float(au),4),'right',round(float(right),4),'all pairs',round(float(auroc(ans[lab==1],ans[lab==0])),4),len(top),flush=True)
    if share>0:
        score=pick+au+right
        if best is None or score>best[0]: best=(score,share,{n:t.half() for n,t in W.items()})
print('chosen',best[1]); torch.save(best[2],out)
